import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../../clock/clock.ts'
import { clockSkewMs } from '../../../secrets-manager/secrets-manager.ts'

export interface TrustTimes {
  /**
   * The time that a bundle must exist where API servers read it, before its newest CA issues a certificate.
   * Milliseconds.
   */
  readonly knownMs: number
  /**
   * The time after the creation of a certificate during which replicas may still present the former one. Milliseconds.
   */
  readonly overlapMs: number
}

/**
 * Decides if API servers know a bundle by now. They read configurations with watches, and do not report when all of
 * them have read one. A bundle counts as known once this process has seen it in all configurations for a while. A new
 * process has seen nothing yet, and waits again.
 */
export const createTrust = (clock: Pick<Clock, 'now'>, { knownMs }: Pick<TrustTimes, 'knownMs'>) => {
  let seen: { readonly bundle: string; readonly since: number } | undefined
  return {
    /** `told`: the bundles of all configurations, as read; `''` for a missing one. */
    isKnown: (bundle: string, bundles: readonly string[]): boolean => {
      const isThere = bundles.every(one => holdsAll(one, bundle))
      if (!isThere) {
        seen = undefined
        return false
      }
      const key = certificatesIn(bundle).join()
      if (seen?.bundle !== key) seen = { bundle: key, since: clock.now() }
      return clock.now() - seen.since >= knownMs
    },
  }
}

const holdsAll = (bundle: string, other: string): boolean => {
  const there = new Set(certificatesIn(bundle))
  return certificatesIn(other).every(certificate => there.has(certificate))
}

export interface BundleInput {
  /** The bundle of the secrets manager: the newest CA, and the former one while it is valid. */
  readonly bundle: string
  /** The bundle that API servers currently trust; `''` if none. */
  readonly present: string
  /** The newest server certificate. */
  readonly serverCertificate: string
  readonly now: number
}

/**
 * Returns the bundle that API servers are to trust. While a replica may still present a certificate of another CA, the
 * currently trusted CAs are included.
 */
export const bundleToTrust = (
  { bundle, present, serverCertificate, now }: BundleInput,
  { overlapMs }: Pick<TrustTimes, 'overlapMs'>,
): string => {
  const certificates = certificatesIn(bundle)
  if (now - createdAt(serverCertificate) >= overlapMs) return bundleOf(certificates)
  const others = certificatesIn(present).filter(
    certificate => !certificates.includes(certificate) && !isOver(certificate, now),
  )
  return bundleOf([...certificates, ...others])
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns the certificates of a bundle, each as trimmed text, so that they can be compared. */
export const certificatesIn = (bundle: string): readonly string[] => bundle.match(block) ?? []

/** Joins certificates to a bundle. */
const bundleOf = (certificates: readonly string[]): string =>
  certificates.map(certificate => `${certificate}\n`).join('')

/** In milliseconds since the epoch. A certificate is valid before its creation, for callers with slow clocks. */
const createdAt = (certificate: string): number =>
  Date.parse(new X509Certificate(certificate).validFrom) + clockSkewMs

const isOver = (certificate: string, now: number): boolean => endsAt(certificate) < now

/** Returns the end of its validity, in milliseconds since the epoch. */
export const endsAt = (certificate: string): number => Date.parse(new X509Certificate(certificate).validTo)
