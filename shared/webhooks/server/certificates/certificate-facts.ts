import { X509Certificate } from 'node:crypto'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns the certificates of a bundle, each as trimmed text, so that they can be compared. */
export const certificatesIn = (bundle: string): readonly string[] => bundle.match(block) ?? []

/** Joins certificates to a bundle. */
export const bundleOf = (certificates: readonly string[]): string =>
  certificates.map(certificate => `${certificate}\n`).join('')

/** Returns the start of its validity, in milliseconds since the epoch: a minute before its creation. */
export const beginsAt = (certificate: string): number =>
  Date.parse(new X509Certificate(certificate).validFrom)

export const isOver = (certificate: string, now: number): boolean => endsAt(certificate) < now

/** Returns the end of its validity, in milliseconds since the epoch. */
export const endsAt = (certificate: string): number => Date.parse(new X509Certificate(certificate).validTo)
