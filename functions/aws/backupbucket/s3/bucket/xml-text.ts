/** Control characters, surrogate halves and the two noncharacters (XML 1.0, "Characters"). */
const doubtful = /[\p{Cc}\p{Cs}\ufffe\uffff]/u

/**
 * Returns true if XML represents the text unchanged. Also rejects some control characters that XML allows. Keys of S3
 * may contain characters that XML does not allow.
 */
export const isXmlText = (text: string): boolean => !doubtful.test(text)
