import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Timestamp } from '../../clock/clock.ts'

/** From when until when a certificate is valid, to the second. */
export interface CertificateFacts {
  readonly notBefore: Timestamp
  readonly notAfter: Timestamp
}

/** Of the first certificate of a PEM text; undefined: there is none, or not a whole one. */
export const certificateFacts = (pem: string): CertificateFacts | undefined => {
  const certificate = parsed(pem)
  return (
    certificate && {
      notBefore: Date.parse(certificate.validFrom),
      notAfter: Date.parse(certificate.validTo),
    }
  )
}

/** Whether a private key is the certificate's; both PEM. */
export const keysMatch = (certificate: string, key: string): boolean => {
  try {
    return parsed(certificate)?.checkPrivateKey(createPrivateKey(key)) === true
  } catch {
    return false // No key: what OpenSSL says of it helps nobody, and is not ours to repeat.
  }
}

const parsed = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
