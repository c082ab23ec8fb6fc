import { isIPv6 } from 'node:net'

/**
 * The one spelling by which domain names are compared: lower case, no trailing dot, and every character but `a-z`,
 * `0-9`, `-` and `_` as a three-digit octal code, so `*.example.com` is `\052.example.com`. It is how Route 53 returns
 * names (Developer Guide, "DNS domain name format"), less the dot. Characters outside ASCII count as their UTF-8 bytes.
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

/** Whether `name` is the zone's own name or a name below it, label by label: `afoo.com` is not below `foo.com`. */
export const isWithin = (name: string, zoneName: string): boolean => {
  const inner = canonicalName(name)
  const outer = canonicalName(zoneName)
  return inner === outer || inner.endsWith(`.${outer}`)
}

const inLabel = (byte: number): string => {
  const character = String.fromCharCode(byte).toLowerCase()
  return byte < 128 && /[a-z0-9_-]/.test(character) ? character : `\\${octalCode(byte)}`
}

/** Three octal digits of a byte. */
const octalCode = (byte: number): string => byte.toString(8).padStart(3, '0')

/** The one spelling by which IP addresses are compared: `2001:DB8:0::1` is `2001:db8::1`. Other text stays as it is. */
export const addressKey = (address: string): string =>
  isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

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
