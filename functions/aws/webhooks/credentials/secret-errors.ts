import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { isRecord, valueAt } from '../../../../shared/decode/record-of.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  type Format,
  formats,
  formProblems,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

/** Validates a Secret with the credentials of a shoot. Ignores updates that do not change the data. */
export const validateSecret: Reviewer = ({ object, oldObject }) =>
  oldObject !== undefined && isDeepStrictEqual(object.data ?? {}, oldObject.data ?? {})
    ? {}
    : refusedFor(secretErrors(object))

/** The two names of a value in a Secret. The DNS name overrides the other. */
interface CredentialsKey {
  readonly name: string
  readonly dnsName: string
}

const keyId: CredentialsKey = { name: 'accessKeyID', dnsName: 'AWS_ACCESS_KEY_ID' }
const keySecret: CredentialsKey = { name: 'secretAccessKey', dnsName: 'AWS_SECRET_ACCESS_KEY' }
const region: CredentialsKey = { name: 'region', dnsName: 'AWS_REGION' }
const keys = [keyId, keySecret, region]

/**
 * Returns the errors in the data of a Secret with an access key (docs/contract/admission.md#credentials). An error
 * never contains a value.
 */
export const secretErrors = (secret: unknown): readonly string[] => {
  const data = valueAt(secret, 'data')
  const values = isRecord(data) ? data : {}
  const whose = `Secret ${String(valueAt(secret, 'metadata', 'namespace') ?? '')}/${String(valueAt(secret, 'metadata', 'name') ?? '')}`
  return fieldErrors([
    ...keys.flatMap(key => twice(values, key, whose)),
    ...Object.keys(values)
      .toSorted()
      .filter(name => !keys.some(key => key.name === name || key.dnsName === name))
      .map(name => ({
        path: `secret.data[${name}]`,
        message: `expected no such key in ${whose}; allowed keys are ${keys.map(key => key.name).join(', ')}`,
        kind: 'forbidden' as const,
      })),
    ...neededProblems(values, keyId, formats.accessKeyId, whose),
    ...neededProblems(values, keySecret, formats.secretAccessKey, whose),
    ...regionProblems(values),
  ])
}

type SecretValues = Readonly<Record<string, unknown>>

const twice = (values: SecretValues, { name, dnsName }: CredentialsKey, whose: string): readonly Problem[] =>
  name in values && dnsName in values
    ? [{ path: 'secret.data', message: `expected either ${name} or ${dnsName} in ${whose}, found both` }]
    : []

const neededProblems = (
  values: SecretValues,
  key: CredentialsKey,
  format: Format,
  whose: string,
): readonly Problem[] => {
  const { name, text } = keyValue(values, key)
  const path = `secret.data[${name}]`
  if (text === undefined)
    return [{ path, message: `expected ${format.what} in ${whose}, found nothing`, kind: 'required' }]
  return formProblems(path, text, format, { hidden: true })
}

const regionProblems = (values: SecretValues): readonly Problem[] => {
  const { name, text } = keyValue(values, region)
  return formProblems(`secret.data[${name}]`, text || undefined, formats.region, { hidden: true })
}

interface KeyValue {
  /** The name under which the value was found. */
  readonly name: string
  readonly text: string | undefined
}

const keyValue = (values: SecretValues, { name, dnsName }: CredentialsKey): KeyValue => {
  const found = dnsName in values ? dnsName : name
  const value = values[found]
  return {
    name: found,
    text: typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined,
  }
}
