import { type CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { TlsSettings } from '../client/connection.ts'

/** Credentials of a project of OpenStack (docs/contract/provider-openstack.md#credentials). Contains secret values. */
export type OpenStackCredentials = {
  readonly domainName: string
  readonly tenantName: string
  /** The URL of Keystone, as given. Undefined: the Secret has none. */
  readonly authUrl: string | undefined
  readonly tls: TlsSettings
} & (
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'application-credential'; readonly id: string; readonly secret: string }
  | {
      readonly kind: 'named-application-credential'
      readonly username: string
      readonly name: string
      readonly secret: string
    }
)

/** Returns the values that must never appear in an error or a log line. */
export const secretValuesOf = (credentials: OpenStackCredentials): readonly string[] =>
  credentials.kind === 'password' ? [credentials.password] : [credentials.secret]

export interface ReadCredentialsOptions {
  /** Also accepts the keys of DNS Secrets, such as `OS_USERNAME`. The standard key overrides them. */
  readonly dnsKeys?: boolean
}

/** The standard keys, with those of DNS Secrets. */
export const credentialsKeys = {
  domainName: 'OS_DOMAIN_NAME',
  tenantName: 'OS_PROJECT_NAME',
  username: 'OS_USERNAME',
  password: 'OS_PASSWORD',
  applicationCredentialID: 'OS_APPLICATION_CREDENTIAL_ID',
  applicationCredentialName: 'OS_APPLICATION_CREDENTIAL_NAME',
  applicationCredentialSecret: 'OS_APPLICATION_CREDENTIAL_SECRET',
  authURL: 'OS_AUTH_URL',
  caCert: 'OS_CACERT',
  insecure: undefined,
} as const

export type CredentialsKeyName = keyof typeof credentialsKeys

/**
 * Reads the credentials in a Secret. An empty value counts as missing. Throws a `CodedError` with
 * ERR_CONFIGURATION_PROBLEM that names the Secret and the key, never a value.
 */
export const readCredentials = (
  secret: Secret,
  { dnsKeys = false }: ReadCredentialsOptions = {},
): OpenStackCredentials => {
  const problem = (what: string): CodedError =>
    configurationProblem(
      `cannot read the OpenStack credentials in Secret ${secret.namespace}/${secret.name}: ${what}`,
    )
  const either = (key: CredentialsKeyName): string =>
    dnsKeys && credentialsKeys[key] !== undefined ? `${key} or ${credentialsKeys[key]}` : key
  const textIn = (key: CredentialsKeyName): string | undefined => {
    const dnsKey = credentialsKeys[key]
    const value = secret.data[key] || (dnsKeys && dnsKey !== undefined ? secret.data[dnsKey] : undefined)
    // The usual cause is `echo` instead of `echo -n`. Keystone reports only that authentication is required.
    if (value && key !== 'caCert' && key !== 'insecure' && hasWrongCharacters(key, value))
      throw problem(`its ${either(key)} contains control characters or white space at an end`)
    return value || undefined
  }
  const required = (key: CredentialsKeyName): string => {
    const value = textIn(key)
    if (value === undefined) throw problem(`it has no ${either(key)}`)
    return value
  }

  const ca = textIn('caCert')
  const common = {
    domainName: required('domainName'),
    tenantName: required('tenantName'),
    authUrl: authUrlIn(textIn('authURL'), either('authURL'), problem),
    tls: {
      ...(ca !== undefined && { ca }),
      ...(textIn('insecure')?.trim().toLowerCase() === 'true' && { insecure: true }),
    },
  }
  const password = textIn('password')
  const secretOfApplication = textIn('applicationCredentialSecret')
  if (password !== undefined && secretOfApplication !== undefined)
    throw problem(
      `it has both ${either('password')} and ${either('applicationCredentialSecret')}. Remove one of them`,
    )
  if (password !== undefined) return { ...common, kind: 'password', username: required('username'), password }
  if (secretOfApplication === undefined)
    throw problem(`it has neither ${either('password')} nor ${either('applicationCredentialSecret')}`)
  const id = textIn('applicationCredentialID')
  if (id !== undefined) return { ...common, kind: 'application-credential', id, secret: secretOfApplication }
  const name = textIn('applicationCredentialName')
  if (name === undefined)
    throw problem(
      `it has ${either('applicationCredentialSecret')}, but neither ${either('applicationCredentialID')} nor ${either('applicationCredentialName')}`,
    )
  return {
    ...common,
    kind: 'named-application-credential',
    username: required('username'),
    name,
    secret: secretOfApplication,
  }
}

/** Returns true if Keystone would not know a value. A password may begin or end with a space. */
export const hasWrongCharacters = (key: CredentialsKeyName, value: string): boolean =>
  /\p{Cc}/u.test(value) || (key !== 'password' && /^\s|\s$/u.test(value))

const authUrlIn = (
  url: string | undefined,
  key: string,
  problem: (what: string) => CodedError,
): string | undefined => {
  if (url === undefined || (/^https?:\/\//.test(url) && URL.canParse(url))) return url
  throw problem(`its ${key} is not the URL of Keystone, such as https://keystone.example.com:5000/v3`)
}
