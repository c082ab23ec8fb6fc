import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import { secretValuesIn } from '../../../../shared/webhooks/garden/garden.ts'
import {
  type CredentialsKeyName,
  credentialsKeys,
  hasWrongCharacters,
} from '../../../../terraform-free-infra/openstack/account/credentials/read-credentials.ts'

export interface SecretErrorsOptions {
  /** Also accepts the keys of DNS Secrets, and requires a URL of Keystone. Default: false. */
  readonly isForDns?: boolean
}

/** A value of a Secret, and the key under which it was found. */
interface FoundValue {
  readonly key: string
  /** Empty if it is missing. */
  readonly text: string
  readonly isThere: boolean
}

type Values = Readonly<Record<CredentialsKeyName, FoundValue>>

/**
 * Returns the errors in the data of a Secret with credentials of a project
 * (docs/contract/provider-openstack.md#admission). An error never contains a value.
 */
export const secretErrors = (
  secret: unknown,
  { isForDns = false }: SecretErrorsOptions = {},
): readonly string[] => {
  const { whose, keys, textAt } = secretValuesIn(secret)
  const names = Object.keys(credentialsKeys) as CredentialsKeyName[]
  const dnsKeyOf = (name: CredentialsKeyName) => (isForDns ? credentialsKeys[name] : undefined)
  const foundAt = (name: CredentialsKeyName): FoundValue => {
    const dnsKey = dnsKeyOf(name)
    const key = !keys.includes(name) && dnsKey !== undefined && keys.includes(dnsKey) ? dnsKey : name
    return { key, text: textAt(key) ?? '', isThere: keys.includes(key) }
  }
  const values = Object.fromEntries(names.map(name => [name, foundAt(name)])) as unknown as Values
  const required: readonly CredentialsKeyName[] = [
    'domainName',
    'tenantName',
    ...when<CredentialsKeyName>(isForDns, 'authURL'),
  ]
  const known = new Set<string>(names.flatMap(name => [name, ...[dnsKeyOf(name) ?? name]]))
  return fieldErrors([
    ...names.flatMap(name => valueProblems(name, values[name], whose, required.includes(name))),
    ...methodProblems(values, whose),
    ...keys
      .filter(key => !known.has(key))
      .map(key => ({
        path: pathOf(key),
        message: `expected no such key in ${whose}; allowed keys are ${names.join(', ')}`,
        kind: 'forbidden' as const,
      })),
  ])
}

const pathOf = (key: string): string => `secret.data[${key}]`

const valueProblems = (
  name: CredentialsKeyName,
  { key, text, isThere }: FoundValue,
  whose: string,
  isRequired: boolean,
): readonly Problem[] => {
  const path = pathOf(key)
  if (!isThere)
    return when(isRequired, {
      path,
      message: `expected a value in ${whose}, found nothing`,
      kind: 'required' as const,
    })
  if (text === '')
    return [{ path, message: `expected a value, or no such key in ${whose}, found an empty text` }]
  switch (name) {
    case 'authURL':
      return when(!isHttpUrl(text), {
        path,
        message: 'expected the URL of Keystone, such as https://keystone.example.com:5000/v3',
      })
    case 'caCert':
      return ['BEGIN', 'END'].flatMap(word =>
        when(!text.includes(`-----${word} CERTIFICATE-----`), {
          path,
          message: `expected a certificate in PEM form with the line -----${word} CERTIFICATE-----`,
        }),
      )
    case 'insecure':
      return when(!['true', 'false'].includes(text.trim().toLowerCase()), {
        path,
        message: 'expected true or false',
        kind: 'unsupported' as const,
      })
    default:
      return [
        ...when(hasWrongCharacters(name, text), {
          path,
          message:
            name === 'password'
              ? 'expected no line breaks and control characters'
              : 'expected no control characters, and no white space at an end',
        }),
        ...when(name === 'tenantName' && text.length > 64, {
          path,
          message: `expected at most 64 characters, found ${text.length}`,
        }),
      ]
  }
}

const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return /^https?:\/\//i.test(text) && url !== null && url.hostname !== ''
}

/** Returns the problems of the way to log in. A value that is empty counts as missing. */
const methodProblems = (values: Values, whose: string): readonly Problem[] => {
  const {
    username,
    password,
    applicationCredentialID: id,
    applicationCredentialName: name,
    applicationCredentialSecret: secret,
  } = values
  const needs = (needed: FoundValue, beside: FoundValue): readonly Problem[] =>
    when(needed.text === '', {
      path: pathOf(needed.key),
      message: `expected a value beside ${beside.key} in ${whose}, found nothing`,
      kind: 'required' as const,
    })
  if (password.text !== '' && secret.text !== '')
    return [
      {
        path: 'secret.data',
        message: `expected either ${password.key} or ${secret.key} in ${whose}, found both`,
      },
    ]
  if (id.text !== '') return needs(secret, id)
  if (name.text !== '') return [...needs(secret, name), ...needs(username, name)]
  if (password.text !== '') return needs(username, password)
  const ways = [
    [id, secret],
    [username, name, secret],
    [username, password],
  ].map(keys => keys.map(({ key }) => key).join(' and '))
  return [
    {
      path: 'secret.data',
      message: `expected one of these in ${whose}: ${ways.join('; ')}`,
      kind: 'required',
    },
  ]
}
