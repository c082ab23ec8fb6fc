/** Control characters, halves of surrogate pairs, and the two that are no characters (XML 1.0, "Characters"). */
const doubtful = /[\p{Cc}\p{Cs}\ufffe\uffff]/u

/** Whether XML holds a text as it is; some control characters it would too. Keys of S3 may have those that it cannot. */
export const isXmlText = (text: string): boolean => !doubtful.test(text)
