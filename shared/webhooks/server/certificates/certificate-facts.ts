import { X509Certificate } from 'node:crypto'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a bundle, each as its own text without blanks around, so that they can be compared. */
export const certificatesIn = (bundle: string): readonly string[] => bundle.match(block) ?? []

/** As a bundle. */
export const bundleOf = (certificates: readonly string[]): string =>
  certificates.map(certificate => `${certificate}\n`).join('')

/** When its time begins, in ms since the epoch: a minute before it was made. */
export const beginsAt = (certificate: string): number =>
  Date.parse(new X509Certificate(certificate).validFrom)

export const isOver = (certificate: string, now: number): boolean => endsAt(certificate) < now

/** When its time is over, in ms since the epoch. */
export const endsAt = (certificate: string): number => Date.parse(new X509Certificate(certificate).validTo)
