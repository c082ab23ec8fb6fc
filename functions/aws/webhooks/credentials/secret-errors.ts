import type { Problem } from '../../../../shared/decode/problems.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import { type SecretValues, secretValuesIn } from '../../../../shared/webhooks/garden/garden.ts'
import {
  type Format,
  formats,
  formProblems,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

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
  const values = secretValuesIn(secret)
  return fieldErrors([
    ...keys.flatMap(key => twice(values, key)),
    ...values.keys
      .filter(name => !keys.some(key => key.name === name || key.dnsName === name))
      .map(name => ({
        path: `secret.data[${name}]`,
        message: `expected no such key in ${values.whose}; allowed keys are ${keys.map(key => key.name).join(', ')}`,
        kind: 'forbidden' as const,
      })),
    ...neededProblems(values, keyId, formats.accessKeyId),
    ...neededProblems(values, keySecret, formats.secretAccessKey),
    ...regionProblems(values),
  ])
}

const twice = (
  { keys: found, whose }: SecretValues,
  { name, dnsName }: CredentialsKey,
): readonly Problem[] =>
  found.includes(name) && found.includes(dnsName)
    ? [{ path: 'secret.data', message: `expected either ${name} or ${dnsName} in ${whose}, found both` }]
    : []

const neededProblems = (values: SecretValues, key: CredentialsKey, format: Format): readonly Problem[] => {
  const { name, text } = keyValue(values, key)
  const path = `secret.data[${name}]`
  if (text === undefined)
    return [{ path, message: `expected ${format.what} in ${values.whose}, found nothing`, kind: 'required' }]
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

const keyValue = ({ keys: present, textAt }: SecretValues, { name, dnsName }: CredentialsKey): KeyValue => {
  const found = present.includes(dnsName) ? dnsName : name
  return { name: found, text: textAt(found) }
}
