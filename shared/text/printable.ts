/**
 * Control characters, also those that change the direction of a text, and invisible separators. A name or an error with
 * them could move the cursor of a terminal, forge lines or hide text.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns the text on one line, with escapes in place of characters that a terminal or a page could act on. */
export const printable = (text: string): string =>
  text.replace(unprintable, character => {
    if (character === '\n') return '\\n'
    if (character === '\t') return '\\t'
    const code = character.codePointAt(0) ?? 0
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
