import { createHash, type KeyPairKeyObjectResult, randomInt } from 'node:crypto'
import type { Timestamp } from '../clock/clock.ts'
import type { AuthorityConfig, CertificateConfig, PasswordConfig } from './config.ts'
import { type ManagedSecret, textOf } from './managed-secret.ts'

/** Text by key of the Secret, and secret. */
export type SecretTexts = Readonly<Record<string, string>>

/** A certificate counts from a minute ago, for machines whose clocks are late. */
const clockSkewMs = 60_000

/** The keys and the certificate of a new CA. Its common name is that of the Secret, so that two of them can be told apart. */
export const authorityData = async (
  config: AuthorityConfig,
  secretName: string,
  keys: KeyPairKeyObjectResult,
  now: Timestamp,
): Promise<SecretTexts> => ({
  'ca.crt': await issue({ ...config, commonName: secretName }, keys, now),
  'ca.key': privateKeyOf(keys),
})

/** The keys and the certificate of a server or a client, signed by a CA. */
export const certificateData = async (
  config: CertificateConfig,
  authority: Pick<ManagedSecret, 'data'>,
  keys: KeyPairKeyObjectResult,
  now: Timestamp,
): Promise<SecretTexts> => {
  const certificate = textOf(authority, 'ca.crt')
  const own = await issue(config, keys, now, { certificate, key: textOf(authority, 'ca.key') })
  return {
    'tls.crt': config.includeCaCertificateInServerChain ? `${own}${certificate}` : own,
    'tls.key': privateKeyOf(keys),
    ...(!config.skipPublishingCaCertificate && { 'ca.crt': certificate }),
  }
}

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A password by chance. Its hash is one of SHA-1, which is enough for what nobody can guess. */
export const passwordData = ({ username = '', passwordLength }: PasswordConfig): SecretTexts => {
  const password = Array.from(
    { length: passwordLength },
    () => characters[randomInt(characters.length)],
  ).join('')
  return {
    username,
    password,
    auth: `${username}:{SHA}${createHash('sha1').update(password).digest('base64')}`,
  }
}

const issue = async (
  config: AuthorityConfig | CertificateConfig,
  keys: KeyPairKeyObjectResult,
  now: Timestamp,
  issuer?: { readonly certificate: string; readonly key: string },
): Promise<string> => {
  const signed = config.kind === 'ca' ? undefined : config
  // Loaded only where something is made: an unchanged object needs no certificate.
  const { issueCertificate } = await import('./certificates/issue-certificate.ts')
  return issueCertificate({
    kind: config.kind,
    commonName: config.commonName,
    organization: config.organization ?? [],
    dnsNames: signed?.dnsNames ?? [],
    ipAddresses: signed?.ipAddresses ?? [],
    notBefore: now - clockSkewMs,
    notAfter: config.validityMs === undefined ? tenYearsAfter(now) : now + config.validityMs,
    keys,
    ...(issuer && { issuer }),
  })
}

/** Calendar years: 3652 or 3653 days. */
const tenYearsAfter = (now: Timestamp): Timestamp => {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() + 10)
}

/** PKCS #1, PEM. */
const privateKeyOf = ({ privateKey }: KeyPairKeyObjectResult): string =>
  privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
