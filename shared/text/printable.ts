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

/** Returns JSON in which the same characters are escaped, so that a terminal can show it. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(unprintable, character =>
    character === '\n'
      ? character
      : // A character beyond 16 bits is a pair in JSON.
        character
          .split('')
          .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  )
