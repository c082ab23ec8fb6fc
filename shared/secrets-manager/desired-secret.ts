import type { Timestamp } from '../clock/clock.ts'
import { type CertificateFacts, certificateFacts } from './certificates/certificate-facts.ts'
import type { AuthorityConfig, CertificateConfig, PasswordConfig, SecretConfig } from './config.ts'
import { managedBy, secretLabels } from './labels.ts'
import { type ManagedSecret, secretText } from './managed-secret.ts'
import { bundleChecksum, certificateChecksum, passwordChecksum } from './names/config-checksum.ts'
import { caChecksumOf, secretName } from './names/secret-name.ts'

/** A desired Secret, without its data. */
export interface DesiredSecret {
  /** The name of the config or bundle. */
  readonly config: string
  readonly name: string
  /** Excludes labels that are derived from its data. */
  readonly labels: Readonly<Record<string, string>>
  /** The required keys of its data. */
  readonly keys: readonly string[]
  /** Validity in milliseconds, if no certificate in it sets one. */
  readonly validityMs?: number
}

export const desiredAuthority = (
  config: AuthorityConfig,
  rotation: string,
  identity: string,
): DesiredSecret => desiredOf(config, { identity, rotation, keys: ['ca.crt', 'ca.key'] })

export const desiredCertificate = (
  config: CertificateConfig,
  authority: Pick<ManagedSecret, 'data'>,
  rotation: string,
  identity: string,
): DesiredSecret =>
  desiredOf(config, {
    identity,
    rotation,
    caChecksum: caChecksumOf(authority.data),
    keys: ['tls.crt', 'tls.key'],
  })

export const desiredPassword = (
  config: PasswordConfig,
  rotation: string,
  identity: string,
): DesiredSecret => ({
  ...desiredOf(config, { identity, rotation, keys: ['password', 'auth'] }),
  ...(config.validityMs !== undefined && { validityMs: config.validityMs }),
})

/** Returns the bundle of the valid CA certificates, PEM, starting with the current one. */
export const desiredBundle = (
  authority: string,
  certificates: readonly string[],
  identity: string,
): DesiredSecret => {
  const config = bundleNameOf(authority)
  const configChecksum = bundleChecksum(config, certificates)
  return {
    config,
    name: secretName({ config, configChecksum, rotation: '' }),
    labels: { ...baseLabels(config, configChecksum, '', identity), [secretLabels.bundleFor]: authority },
    keys: ['bundle.crt'],
  }
}

const bundleNameOf = (authority: string): string => `${authority}-bundle`

const desiredOf = (
  config: SecretConfig,
  rest: Pick<DesiredSecret, 'keys'> & { identity: string; rotation: string; caChecksum?: string },
): DesiredSecret => {
  const { name, persist, renewAfterValidityPercentage } = config
  const { identity, rotation, caChecksum, keys } = rest
  const configChecksum = config.kind === 'password' ? passwordChecksum(config) : certificateChecksum(config)
  return {
    config: name,
    name: secretName({ config: name, configChecksum, caChecksum, rotation }),
    labels: {
      ...baseLabels(name, configChecksum, rotation, identity),
      ...(caChecksum !== undefined && { [secretLabels.caChecksum]: caChecksum }),
      ...(persist && { [secretLabels.persist]: 'true' }),
      ...(renewAfterValidityPercentage !== undefined && {
        [secretLabels.renewAfter]: String(renewAfterValidityPercentage),
      }),
    },
    keys,
  }
}

const baseLabels = (name: string, configChecksum: string, rotation: string, identity: string) => ({
  [secretLabels.name]: name,
  [secretLabels.managedBy]: managedBy,
  [secretLabels.identity]: identity,
  [secretLabels.configChecksum]: configChecksum,
  [secretLabels.rotation]: rotation,
})

/** Returns the validity of the certificate in a Secret, or undefined if it contains none. */
export const factsOf = (secret: Pick<ManagedSecret, 'data'>): CertificateFacts | undefined =>
  certificateFacts(secretText(secret, 'tls.crt') || secretText(secret, 'ca.crt'))

/** Returns the validity of a Secret without a certificate from its labels. Undefined: unlimited or unknown. */
export const labelledFacts = ({ labels }: Pick<ManagedSecret, 'labels'>): CertificateFacts | undefined => {
  const [notBefore, notAfter] = [secretLabels.issuedAt, secretLabels.validUntil].map(
    label => Number(labels[label] || Number.NaN) * 1000,
  )
  if (notBefore === undefined || notAfter === undefined) return undefined
  return Number.isFinite(notBefore) && Number.isFinite(notAfter) ? { notBefore, notAfter } : undefined
}

/**
 * Returns the labels derived from the data of a Secret. Without a certificate, they are derived from the creation time.
 */
export const lifetimeLabels = (
  secret: Pick<ManagedSecret, 'data' | 'labels'>,
  now: Timestamp,
  validityMs?: number,
): Readonly<Record<string, string>> => {
  const facts = factsOf(secret)
  if (facts !== undefined)
    return {
      [secretLabels.issuedAt]: seconds(facts.notBefore),
      [secretLabels.validUntil]: seconds(facts.notAfter),
    }
  const issuedAt = secret.labels[secretLabels.issuedAt] ?? seconds(now)
  return {
    [secretLabels.issuedAt]: issuedAt,
    ...(validityMs !== undefined && {
      [secretLabels.validUntil]: seconds(Number(issuedAt) * 1000 + validityMs),
    }),
  }
}

/** Formats a time as in the labels. */
export const seconds = (time: Timestamp): string => String(Math.floor(time / 1000))
