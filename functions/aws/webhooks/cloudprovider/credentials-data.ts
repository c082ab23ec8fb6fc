import { parse } from 'yaml'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { textOfBase64, tokenFolder } from '../../../../shared/webhooks/components/webhooks.ts'
import {
  decodeStrictly,
  workloadIdentityConfigSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

interface CredentialsInput {
  /** Data of the Secret, in base64. */
  readonly data: Readonly<Record<string, string | null>>
  readonly labels: Readonly<Record<string, string>>
  /** The region of the shoot. */
  readonly region: string
}

/**
 * Returns the data to add to the Secret, in base64: the credentials file. For a workload identity it contains the role
 * and the path of the token (docs/contract/webhooks.md#cloudprovider). Throws a `CodedError` that names a key, never a
 * value.
 */
export const credentialsData = ({
  data,
  labels,
  region,
}: CredentialsInput): Readonly<Record<string, string>> =>
  encoded(
    labels['workloadidentity.security.gardener.cloud/provider'] === 'aws'
      ? identityData(data, region)
      : keyData(data, region),
  )

const keyData = (data: CredentialsInput['data'], region: string): Readonly<Record<string, string>> => ({
  credentialsFile: credentialsFile({
    aws_access_key_id: line('accessKeyID', required(data, 'accessKeyID')),
    aws_secret_access_key: line('secretAccessKey', required(data, 'secretAccessKey')),
    region: line('region', region),
  }),
})

const identityData = (data: CredentialsInput['data'], region: string): Readonly<Record<string, string>> => {
  if (!data.config) throw configurationProblem("cloudprovider secret is missing a 'config' data key")
  const role = line('roleARN', readRole(decoded('config', data.config)))
  const token = `${tokenFolder}/token`
  return {
    roleARN: role,
    workloadIdentityTokenFile: token,
    credentialsFile: credentialsFile({
      web_identity_token_file: token,
      role_arn: role,
      region: line('region', region),
    }),
  }
}

const credentialsFile = (lines: Readonly<Record<string, string>>): string =>
  ['[default]', ...Object.entries(lines).map(([name, value]) => `${name}=${value}`)].join('\n')

const required = (data: CredentialsInput['data'], key: string): string => {
  const value = data[key]
  if (!value) throw configurationProblem(`could not mutate cloudprovider secret as "${key}" field is missing`)
  return decoded(key, value)
}

const decoded = (key: string, value: string): string => {
  try {
    return textOfBase64(value)
  } catch (error) {
    throw configurationProblem(
      `could not mutate cloudprovider secret as "${key}" cannot be read: ${messageOf(error)}`,
    )
  }
}

/** Returns the value if it fits one line of a file. A line break in it would add another entry. */
const line = (key: string, value: string): string => {
  if (/[\s\p{Cc}]/u.test(value))
    throw configurationProblem(
      `could not mutate cloudprovider secret as "${key}" contains white space or control characters, such as the line break of \`echo\` without -n`,
    )
  return value
}

const encoded = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))

/** Returns the role in a WorkloadIdentityConfig, JSON or YAML. Empty if it names none. Throws a `CodedError`. */
const readRole = (config: string): string => {
  try {
    return decodeStrictly(workloadIdentityConfigSchema, parsed(config)).roleARN
  } catch (error) {
    throw configurationProblem(`could not decode 'config' as WorkloadIdentityConfig: ${messageOf(error)}`)
  }
}

/** In characters. A valid config has some hundreds. Keys are compared pairwise, which takes quadratic time. */
const longestConfig = 10_000

const parsed = (config: string): unknown => {
  if (config.length > longestConfig) throw new Error(`it has more than ${longestConfig} characters`)
  try {
    // Aliases have no use here, and could expand a small text into a huge one.
    return parse(config, { maxAliasCount: 0, logLevel: 'error' })
  } catch {
    // The message of the parser quotes the text.
    throw new Error('it is neither JSON nor YAML')
  }
}
