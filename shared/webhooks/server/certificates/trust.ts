import type { Clock } from '../../../clock/clock.ts'
import { beginsAt, bundleOf, certificatesIn, isOver } from './certificate-facts.ts'

export interface TrustTimes {
  /** How long a bundle has to be where API servers read it, before a certificate by its newest CA is made. In ms. */
  readonly knownMs: number
  /** How long after a certificate was made replicas may still show the one before. In ms. */
  readonly settleMs: number
}

/**
 * Whether API servers know a bundle by now. They read configurations by watches, and nobody says when all of them have read
 * one: a bundle counts as known when this process has seen it in all of them for a while. A process that has just begun has
 * seen nothing, and waits again.
 */
export const createTrust = (clock: Pick<Clock, 'now'>, { knownMs }: Pick<TrustTimes, 'knownMs'>) => {
  let seen: { readonly bundle: string; readonly since: number } | undefined
  return {
    /** `told`: the bundles of all configurations, as they were read; `''` for one that is not there. */
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
  /** Of the secrets manager: the newest CA, and the one before as long as it counts. */
  readonly bundle: string
  /** What API servers trust by now; `''`: nothing. */
  readonly present: string
  /** The newest certificate of the server. */
  readonly serverCertificate: string
  readonly now: number
}

/**
 * Whom API servers shall trust: the bundle, and as long as a replica may still show a certificate that another CA has signed,
 * whoever they trust by now.
 */
export const bundleToTrust = (
  { bundle, present, serverCertificate, now }: BundleInput,
  { settleMs }: Pick<TrustTimes, 'settleMs'>,
): string => {
  const certificates = certificatesIn(bundle)
  if (now - beginsAt(serverCertificate) >= settleMs) return bundleOf(certificates)
  const others = certificatesIn(present).filter(
    certificate => !certificates.includes(certificate) && !isOver(certificate, now),
  )
  return bundleOf([...certificates, ...others])
}
