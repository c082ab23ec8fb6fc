import { createHash, createPublicKey, type KeyObject } from 'node:crypto'

export interface PublicKey {
  readonly type: 'rsa' | 'ed25519'
  readonly fingerprint: string
  /** In OpenSSH format, without its comment. */
  readonly text: string
}

/** Returns the fields of an SSH key. Each has a length in four bytes, then that many bytes (RFC 4253, section 6.6). */
const fieldsOf = (blob: Buffer): readonly Buffer[] | undefined => {
  const fields: Buffer[] = []
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return undefined
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return undefined
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

const withoutLeadingZero = (bytes: Buffer): Buffer => (bytes[0] === 0 ? bytes.subarray(1) : bytes)

const rsaKey = ([, exponent, modulus]: readonly Buffer[]): KeyObject | undefined => {
  if (!exponent || !modulus) return undefined
  const number = (bytes: Buffer) => withoutLeadingZero(bytes).toString('base64url')
  return createPublicKey({ key: { kty: 'RSA', e: number(exponent), n: number(modulus) }, format: 'jwk' })
}

const colons = (hex: string): string => (hex.match(/../g) ?? []).join(':')

/**
 * Parses a key in OpenSSH format. The fingerprint of an RSA key is the MD5 of its DER form, that of an ED25519 key the
 * SHA-256 as OpenSSH prints it ("Verify the fingerprint of your key pair", EC2 user guide). Returns undefined for any
 * other text.
 */
export const parsePublicKey = (text: string): PublicKey | undefined => {
  const [name = '', base64 = ''] = text.trim().split(/\s+/)
  const blob = Buffer.from(base64, 'base64')
  const fields = fieldsOf(blob)
  if (!fields || fields[0]?.toString() !== name) return undefined
  const key = `${name} ${base64}`
  try {
    if (name === 'ssh-rsa') {
      const der = rsaKey(fields)?.export({ type: 'spki', format: 'der' })
      if (!der) return undefined
      return { type: 'rsa', text: key, fingerprint: colons(createHash('md5').update(der).digest('hex')) }
    }
  } catch {
    return undefined
  }
  if (name === 'ssh-ed25519' && fields[1]?.length === 32) {
    return { type: 'ed25519', text: key, fingerprint: createHash('sha256').update(blob).digest('base64') }
  }
  return undefined
}
