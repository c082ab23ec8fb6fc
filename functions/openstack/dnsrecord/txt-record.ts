/** Matches one or more strings in double quotes (RFC 1035, section 5.1). */
const quotedStrings = /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/su

/** Matches a value that means the same with and without quotes. */
const plainValue = /^[A-Za-z0-9_.:/+=,@~-]{1,253}$/

/**
 * The most characters of one string. Designate counts its quotes too, and allows 255 (`designate/objects/rrdata_txt.py`).
 */
const longestString = 253

/**
 * Returns a value as Designate accepts it. A value in quotes stays as it is, and so does one that needs none: the Go
 * extension, which compares texts, then finds its own record. Any other value is quoted: one with white space, with a
 * `;`, which would start a comment, or a long one, which is split. Escapes (`\"`, `\;`, `\009`) retain their meaning.
 */
export const txtRecord = (value: string): string => {
  if (quotedStrings.test(value) || plainValue.test(value)) return value
  const strings = ['']
  let size = 0
  for (const [text] of value.matchAll(/\\[0-9]{3}|\\.|./gsu)) {
    const written = text === '"' || text === '\\' ? `\\${text}` : isControl(text) ? escaped(text) : text
    const length = Math.max(written.length, Buffer.byteLength(written))
    if (size + length > longestString) {
      strings.push('')
      size = 0
    }
    strings[strings.length - 1] += written
    size += length
  }
  return strings.map(string => `"${string}"`).join(' ')
}

/**
 * Returns the text that clients of the DNS read, as bytes of Latin-1. It is equal for two spellings of one value.
 * Clients join the strings of a value.
 */
export const txtText = (record: string): string =>
  (quotedStrings.test(record)
    ? [...record.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, string = '']) => string)
    : [record]
  )
    .flatMap(string => [...string.matchAll(/\\([0-9]{3})|\\(.)|(.)/gsu)])
    .map(([, code, after, character = after ?? '']) =>
      code === undefined ? Buffer.from(character).toString('latin1') : String.fromCharCode(Number(code)),
    )
    .join('')

const isControl = (character: string): boolean => /^\p{Cc}$/u.test(character)

const escaped = (character: string): string => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`
