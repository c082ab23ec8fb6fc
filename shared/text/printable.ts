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
    character === '\n' ? character : jsonEscape(character),
  )

/** A character beyond 16 bits is a pair in JSON. */
const jsonEscape = (character: string): string =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** A control character, also one that begins a colour or weight of our own output; others could hide text. */
const unprintableOutput = /(?![\n\t])\p{Cc}(?:\[(?:[012]|22|3[1-69]|90)m)?|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Returns a whole output with escapes in place of the same characters, except for line breaks, tabs and our own
 * colours. The escapes are those of JSON, so JSON retains its value.
 */
export const printableOutput = (text: string): string =>
  text.replace(unprintableOutput, found => {
    if (found.startsWith('\u001b[')) return found
    const [character = ''] = found
    return `${jsonEscape(character)}${found.slice(character.length)}`
  })
