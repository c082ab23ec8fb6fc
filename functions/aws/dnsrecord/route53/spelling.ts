import { isIPv6 } from 'node:net'

/**
 * Returns the canonical spelling of a domain name: lower case, no trailing dot, and every character except `a-z`,
 * `0-9`, `-` and `_` as a three-digit octal code, so `*.example.com` is `\052.example.com`. Route 53 returns names like
 * this (Developer Guide, "DNS domain name format"), with a trailing dot. Characters outside ASCII are encoded as UTF-8
 * bytes.
 */
export const canonicalName = (name: string): string => {
  let canonical = ''
  for (const [, octal, character = ''] of name.matchAll(/\\([0-3][0-7]{2})|(.)/gsu)) {
    if (octal !== undefined) canonical += inLabel(Number.parseInt(octal, 8))
    else if (character === '.') canonical += '.'
    else for (const byte of new TextEncoder().encode(character)) canonical += inLabel(byte)
  }
  return canonical.endsWith('.') ? canonical.slice(0, -1) : canonical
}

export const sameName = (a: string, b: string): boolean => canonicalName(a) === canonicalName(b)

/** Returns true if `name` is the zone's name or a name below it, label by label: `afoo.com` is not below `foo.com`. */
export const isWithin = (name: string, zoneName: string): boolean => {
  const inner = canonicalName(name)
  const outer = canonicalName(zoneName)
  return inner === outer || inner.endsWith(`.${outer}`)
}

/**
 * Returns a key in whose order Route 53 lists names: labels in reverse with a trailing dot, compared as ASCII
 * ("ListResourceRecordSets", API reference).
 */
export const orderKey = (name: string): string => `${canonicalName(name).split('.').reverse().join('.')}.`

/** Returns true for a name with one spelling. The documentation does not say in which one the others are sorted. */
export const isPlain = (name: string): boolean => /^[a-z0-9._-]*$/.test(canonicalName(name))

const inLabel = (byte: number): string => {
  const character = String.fromCharCode(byte).toLowerCase()
  return byte < 128 && /[a-z0-9_-]/.test(character) ? character : `\\${octalCode(byte)}`
}

const octalCode = (byte: number): string => byte.toString(8).padStart(3, '0')

/** Returns the canonical spelling of an IP address: `2001:DB8:0::1` is `2001:db8::1`. Other text is unchanged. */
export const addressKey = (address: string): string =>
  isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

/** Maximum length of a TXT character string, in bytes (RFC 1035, section 3.3.14). */
const longestString = 255

/**
 * Returns a TXT value in the format of Route 53: one or more strings in double quotes, separated by blanks, each of at
 * most 255 bytes (Developer Guide, "TXT record type"; clients join the strings of one value).
 *
 * A value in this format retains its strings; any other value is one string. In both, the escapes of Route 53 (`\"`,
 * `\\`, `\303`) retain their meaning. A bare `"` is escaped, control characters and those outside ASCII become the
 * octal codes of their UTF-8 bytes, and a string that is too long is split.
 *
 * Any other backslash is literal. Before a printable character it is sent unchanged, as by the Go extension (`v=DKIM1\;
 * k=rsa`). If Route 53 would combine it with the next character (an octal code, a digit, the closing quote), it is
 * escaped.
 */
export const txtValue = (value: string): string =>
  (quotedStrings(value) ?? [value])
    .flatMap(string => split(tokens(string)))
    .map(quote)
    .join(' ')

/**
 * Returns a key that is equal for two values (as sent, or as returned by Route 53) with the same sequence of strings.
 */
export const txtKey = (value: string): string => {
  const strings = quotedStrings(value)
  return strings === undefined
    ? `malformed ${value}`
    : strings
        .map(string => `<${Buffer.from(tokens(string).flatMap(token => token.bytes)).toString('hex')}>`)
        .join('')
}

/** Returns the text between the quotes of `"…" "…"`, or undefined if the value has another format. */
const quotedStrings = (value: string): string[] | undefined => {
  if (!/^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/su.test(value)) return undefined
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"\s*/gsuy)].map(([, string = '']) => string)
}

interface Token {
  readonly text: string
  readonly bytes: readonly number[]
}

/** Returns the characters of a string. Escapes are never split. */
const tokens = (string: string): Token[] =>
  [...string.matchAll(/\\([0-3][0-7]{2})|\\(["\\])|(.)/gsu)].map(([text, octal, escaped, character = '']) => {
    if (octal !== undefined) return { text, bytes: [Number.parseInt(octal, 8)] }
    if (escaped !== undefined) return { text, bytes: [escaped.charCodeAt(0)] }
    if (character === '"') return { text: '\\"', bytes: [0x22] }
    const bytes = [...new TextEncoder().encode(character)]
    const plain = bytes.every(byte => byte >= 0x20 && byte < 0x7f)
    return { text: plain ? character : bytes.map(byte => `\\${octalCode(byte)}`).join(''), bytes }
  })

/** Splits a string into parts of at most 255 bytes in the DNS, regardless of their written length. */
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

/** Returns a literal backslash in a spelling that Route 53 reads as a single backslash. */
const backslashBefore = (next: Token | undefined): string =>
  next === undefined || /^[\\0-9]/.test(next.text) ? '\\\\' : '\\'
