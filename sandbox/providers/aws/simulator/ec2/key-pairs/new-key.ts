import { createHash, generateKeyPairSync } from 'node:crypto'

export interface NewKey {
  readonly fingerprint: string
  /** In OpenSSH format. */
  readonly publicKey: string
  /** The private key as PEM, PKCS #1. */
  readonly material: string
}

/** A length in four bytes, then that many bytes (RFC 4253, section 6.6). */
const field = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Encodes a non-negative number: its first bit must be 0. */
const number = (base64url: string): Buffer => {
  const bytes = Buffer.from(base64url, 'base64url')
  return field((bytes[0] ?? 0) >= 128 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}

/**
 * Creates an RSA key as CreateKeyPair does. Its fingerprint is the SHA-1 of the private key's DER form ("Verify the
 * fingerprint of your key pair", EC2 user guide).
 */
export const newRsaKey = (): NewKey => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { e = '', n = '' } = publicKey.export({ format: 'jwk' })
  const blob = Buffer.concat([field(Buffer.from('ssh-rsa')), number(e), number(n)])
  const hash = createHash('sha1').update(privateKey.export({ type: 'pkcs8', format: 'der' }))
  return {
    fingerprint: hash.digest('hex').replace(/(..)(?!$)/g, '$1:'),
    publicKey: `ssh-rsa ${blob.toString('base64')}`,
    material: String(privateKey.export({ type: 'pkcs1', format: 'pem' })).trim(),
  }
}
