/** Tab, line feed, carriage return, and all from the space on but for two that are no characters (XML 1.0, "Characters"). */
const xmlText = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

/** Whether XML can hold a text. Keys of S3 may have characters that it cannot. */
export const isXmlText = (text: string): boolean => xmlText.test(text)
