import { createHash, type KeyPairKeyObjectResult, randomInt } from 'node:crypto'
import type { Timestamp } from '../clock/clock.ts'
import type { AuthorityConfig, CertificateConfig, PasswordConfig } from './config.ts'
import { type ManagedSecret, secretText } from './managed-secret.ts'

/** Text by key of the Secret. Secret. */
export type SecretTexts = Readonly<Record<string, string>>

/** Certificates are valid from a minute ago, for machines with slow clocks. */
export const clockSkewMs = 60_000

/** Creates the keys and certificate of a CA. The common name is that of the Secret, to distinguish two CAs. */
export const authorityData = async (
  config: AuthorityConfig,
  secretName: string,
  keys: KeyPairKeyObjectResult,
  now: Timestamp,
): Promise<SecretTexts> => ({
  'ca.crt': await issue({ ...config, commonName: secretName }, keys, now),
  'ca.key': privateKeyOf(keys),
})

/** Creates the keys and certificate of a server or client, signed by a CA. */
export const certificateData = async (
  config: CertificateConfig,
  authority: Pick<ManagedSecret, 'data'>,
  keys: KeyPairKeyObjectResult,
  now: Timestamp,
): Promise<SecretTexts> => {
  const certificate = secretText(authority, 'ca.crt')
  const own = await issue(config, keys, now, { certificate, key: secretText(authority, 'ca.key') })
  return {
    'tls.crt': config.includeCaCertificateInServerChain ? `${own}${certificate}` : own,
    'tls.key': privateKeyOf(keys),
    ...(!config.skipPublishingCaCertificate && { 'ca.crt': certificate }),
  }
}

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a random password. Its hash is SHA-1, which is enough for a value that cannot be guessed. */
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
  // Loaded on demand: an unchanged object needs no certificate.
  const { issueCertificate } = await loadIssuer()
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

/** Loads the code that issues certificates: a process without certificates does not need it. */
export const loadIssuer = () => import('./certificates/issue-certificate.ts')
