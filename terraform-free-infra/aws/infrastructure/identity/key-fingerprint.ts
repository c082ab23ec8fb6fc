import { createHash, createPublicKey } from 'node:crypto'

/**
 * Returns the fingerprint that EC2 computes for an imported public key in OpenSSH format: for RSA the MD5 of its DER
 * form, for ED25519 the SHA-256 of the key ("Verify the fingerprint of your key pair", EC2 user guide). Returns
 * undefined for other keys.
 */
export const keyFingerprint = (publicKey: string): string | undefined => {
  const [type, base64 = ''] = publicKey.trim().split(/\s+/)
  const blob = Buffer.from(base64, 'base64')
  if (type === 'ssh-ed25519') return createHash('sha256').update(blob).digest('base64')
  if (type !== 'ssh-rsa') return undefined
  const [, exponent, modulus] = fieldsOf(blob)
  if (exponent === undefined || modulus === undefined) return undefined
  try {
    const jwk = {
      kty: 'RSA',
      e: exponent.toString('base64url'),
      n: withoutSign(modulus).toString('base64url'),
    }
    const der = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
    return createHash('md5')
      .update(der)
      .digest('hex')
      .replace(/(..)(?!$)/g, '$1:')
  } catch {
    return undefined
  }
}

/** Compares two fingerprints. Ignores the padding of base64. */
export const isSameFingerprint = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && unpadded(one) === unpadded(other)

const unpadded = (fingerprint: string): string => fingerprint.replaceAll('=', '')

/** Returns the fields of a key. Each starts with its length in four bytes (RFC 4253, 6.6). */
const fieldsOf = (blob: Buffer): readonly Buffer[] => {
  const fields: Buffer[] = []
  for (let at = 0; at + 4 <= blob.length; ) {
    const end = at + 4 + blob.readUInt32BE(at)
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

/** A number with its highest bit set needs a leading zero byte. */
const withoutSign = (number: Buffer): Buffer => (number[0] === 0 ? number.subarray(1) : number)
