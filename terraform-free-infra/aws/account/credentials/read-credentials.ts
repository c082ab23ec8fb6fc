import { type CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'

/** Credentials for AWS (docs/contract/provider-aws.md#credentials). Contains secret values. */
export type AwsCredentials =
  | { readonly kind: 'access-key'; readonly accessKeyId: string; readonly secretAccessKey: string }
  /** `token`: an OIDC token that STS exchanges for a session of the role. */
  | { readonly kind: 'workload-identity'; readonly roleArn: string; readonly token: string }

/**
 * Returns the identity to which calls are counted: the account of a role, or the access key id, which does not show its
 * account. Not secret.
 */
export const identityOf = (credentials: AwsCredentials): string =>
  credentials.kind === 'access-key'
    ? credentials.accessKeyId
    : (/^arn:[\w-]+:iam::(\d{12}):/.exec(credentials.roleArn)?.[1] ?? credentials.roleArn)

/** Returns the values that must never appear in an error or a log line. */
export const secretValuesOf = (credentials: AwsCredentials): readonly string[] =>
  credentials.kind === 'access-key' ? [credentials.secretAccessKey] : [credentials.token]

export interface SecretCredentials {
  readonly credentials: AwsCredentials
  /** The region in the Secret. A region in the spec overrides it. */
  readonly region?: string
}

export interface ReadCredentialsOptions {
  /**
   * Also accepts the spellings of DNS Secrets: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, and
   * `accessKeyId`. The standard key overrides them.
   */
  readonly dnsKeys?: boolean
}

/**
 * Reads `{credentials, region?}` from a Secret (docs/contract/provider-aws.md#credentials): an access key if its id
 * exists, otherwise a workload identity token with the ARN of a role. An empty value counts as missing. Throws a
 * `CodedError` with ERR_CONFIGURATION_PROBLEM that names the Secret and the key, never a value.
 */
export const readCredentials = async (
  secret: Secret,
  options: ReadCredentialsOptions = {},
): Promise<SecretCredentials> => {
  const keys = (standard: string, ...dns: string[]) => [standard, ...(options.dnsKeys ? dns : [])]
  const idKeys = keys('accessKeyID', 'accessKeyId', 'AWS_ACCESS_KEY_ID')
  const secretKeys = keys('secretAccessKey', 'AWS_SECRET_ACCESS_KEY')

  const region = dataOf(secret, keys('region', 'AWS_REGION'))
  const accessKeyId = dataOf(secret, idKeys)
  const withRegion = (credentials: AwsCredentials): SecretCredentials => ({
    credentials,
    ...(region !== undefined && { region }),
  })

  if (accessKeyId !== undefined) {
    const secretAccessKey = dataOf(secret, secretKeys)
    if (secretAccessKey === undefined) throw problem(secret, `it has no ${either(secretKeys)}`)
    return withRegion({ kind: 'access-key', accessKeyId, secretAccessKey })
  }
  const token = dataOf(secret, ['token'])
  if (token === undefined)
    throw problem(secret, `it has neither an access key (${either(idKeys)}) nor a workload identity (token)`)
  return withRegion({ kind: 'workload-identity', roleArn: await roleArnOf(secret), token })
}

/** Returns the role of a workload identity: `roleARN`, or that of the `WorkloadIdentityConfig` in `config`. */
export const roleArnOf = async (secret: Secret): Promise<string> => {
  const direct = dataOf(secret, ['roleARN'])
  if (direct !== undefined) return direct
  const config = secret.data.config
  if (!config) throw problem(secret, 'it has a token, but neither roleARN nor config')
  // Loaded on demand, because most Secrets contain an access key, and the first event of a process waits for every
  // import.
  const { parse } = await import('yaml')
  let parsed: unknown
  try {
    parsed = parse(config)
  } catch {
    throw problem(secret, 'its config is neither JSON nor YAML')
  }
  const roleArn =
    typeof parsed === 'object' && parsed !== null && 'roleARN' in parsed ? parsed.roleARN : undefined
  if (typeof roleArn !== 'string' || roleArn === '')
    throw problem(secret, 'the WorkloadIdentityConfig in its config has no roleARN')
  return roleArn
}

const dataOf = (secret: Secret, keys: readonly string[]): string | undefined => {
  for (const key of keys) {
    const value = secret.data[key]
    if (!value) continue
    // The usual cause is `echo` instead of `echo -n`. AWS reports only a signature mismatch.
    if (/[\s\p{Cc}]/u.test(value))
      throw problem(secret, `its ${key} contains white space or control characters`)
    return value
  }
  return undefined
}

const either = (keys: readonly string[]): string => keys.join(' or ')

const problem = (secret: Secret, what: string): CodedError =>
  configurationProblem(
    `cannot read the AWS credentials in Secret ${secret.namespace}/${secret.name}: ${what}`,
  )
