import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Timestamp } from '../../clock/clock.ts'

/** The validity of a certificate, to the second. */
export interface CertificateFacts {
  readonly notBefore: Timestamp
  readonly notAfter: Timestamp
}

/** Returns the facts of the first certificate in a PEM text, or undefined if it contains no complete one. */
export const certificateFacts = (pem: string): CertificateFacts | undefined => {
  const certificate = parsed(pem)
  return (
    certificate && {
      notBefore: Date.parse(certificate.validFrom),
      notAfter: Date.parse(certificate.validTo),
    }
  )
}

/** Returns true if the private key belongs to the certificate. Both are PEM. */
export const keysMatch = (certificate: string, key: string): boolean => {
  try {
    return parsed(certificate)?.checkPrivateKey(createPrivateKey(key)) === true
  } catch {
    return false // Not a key. The OpenSSL error is not useful and must not be repeated.
  }
}

const parsed = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
