import { octalCode } from './names.ts'

/** Longest character string of a TXT record, in bytes (RFC 1035, section 3.3.14). */
const longestString = 255

/**
 * A TXT value as Route 53 takes it: one or more strings in double quotes, separated by blanks, none over 255 bytes
 * (Developer Guide, "TXT record type"; a client puts the strings of one value together again).
 *
 * A value that is written so already keeps its strings; any other is one string. In both the escapes of Route 53
 * (`\"`, `\\`, `\303`) mean what they mean there. A bare `"` gets one, control characters and those outside ASCII
 * become the octal codes of their UTF-8 bytes, and a string that is too long is split.
 *
 * A backslash that begins none of these is a backslash. Before a printable character it is sent as it stands, as by
 * the Go extension (`v=DKIM1\; k=rsa`); where Route 53 would read it together with what follows (an octal code, a
 * digit, the closing quote) it is escaped.
 */
export const txtValue = (value: string): string =>
  (quotedStrings(value) ?? [value])
    .flatMap(string => split(tokens(string)))
    .map(quote)
    .join(' ')

/** Equal for two values (as sent, or as Route 53 returns them) that stand for the same sequence of strings. */
export const txtKey = (value: string): string => {
  const strings = quotedStrings(value)
  return strings === undefined
    ? `malformed ${value}`
    : strings
        .map(string => `<${Buffer.from(tokens(string).flatMap(token => token.bytes)).toString('hex')}>`)
        .join('')
}

/** What stands between the quotes of `"…" "…"`, or undefined when the value is not written so. */
const quotedStrings = (value: string): string[] | undefined => {
  if (!/^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/su.test(value)) return undefined
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"\s*/gsuy)].map(([, string = '']) => string)
}

interface Token {
  readonly text: string
  readonly bytes: readonly number[]
}

/** The characters of a string with their escapes: never to be split inside. */
const tokens = (string: string): Token[] =>
  [...string.matchAll(/\\([0-3][0-7]{2})|\\(["\\])|(.)/gsu)].map(([text, octal, escaped, character = '']) => {
    if (octal !== undefined) return { text, bytes: [Number.parseInt(octal, 8)] }
    if (escaped !== undefined) return { text, bytes: [escaped.charCodeAt(0)] }
    if (character === '"') return { text: '\\"', bytes: [0x22] }
    const bytes = [...new TextEncoder().encode(character)]
    const plain = bytes.every(byte => byte >= 0x20 && byte < 0x7f)
    return { text: plain ? character : bytes.map(byte => `\\${octalCode(byte)}`).join(''), bytes }
  })

/** Parts of at most 255 bytes as the DNS holds them, however long they are written. */
const split = (string: readonly Token[]): Token[][] => {
  const parts: Token[][] = [[]]
  let size = 0
  for (const token of string) {
    if (size + token.bytes.length > longestString) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(token)
    size += token.bytes.length
  }
  return parts
}

const quote = (string: readonly Token[]): string =>
  `"${string.map(({ text }, index) => (text === '\\' ? backslashBefore(string[index + 1]) : text)).join('')}"`

/** A bare backslash, so written that Route 53 reads nothing but a backslash from it. */
const backslashBefore = (next: Token | undefined): string =>
  next === undefined || /^[\\0-9]/.test(next.text) ? '\\\\' : '\\'
