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
export const octalCode = (byte: number): string => byte.toString(8).padStart(3, '0')
