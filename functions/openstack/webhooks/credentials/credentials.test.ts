import { describe, expect, test } from 'vitest'
import {
  dataOf,
  gardenWith,
  secretWith,
  usualValues,
  validate,
  validateSecretObject,
} from '../testing/garden.ts'
import { secretErrors } from './secret-errors.ts'

const { password: _, ...user } = usualValues
const { username: __, ...project } = user
const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n'

test.each<[string, Readonly<Record<string, string>>]>([
  ['a password', usualValues],
  ['a password with a space at an end', { ...usualValues, password: ' x ' }],
  [
    'an application credential by id',
    { ...project, applicationCredentialID: 'i', applicationCredentialSecret: 's' },
  ],
  ['one by name', { ...user, applicationCredentialName: 'n', applicationCredentialSecret: 's' }],
  ['all optional values', { ...usualValues, authURL: 'http://k:5000/v3', caCert: pem, insecure: ' True' }],
])('a Secret is allowed with %s', async (_, values) => {
  expect(await validateSecretObject(secretWith(dataOf(values)))).toMatchObject({ allowed: true, message: '' })
})

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'no domain',
    { ...usualValues, domainName: '' },
    'secret.data[domainName]: Invalid value: "(hidden)": expected a value',
  ],
  [
    'no project',
    { domainName: 'd', username: 'u', password: 'p' },
    'secret.data[tenantName]: Required value',
  ],
  [
    'a long project',
    { ...usualValues, tenantName: 'a'.repeat(65) },
    'secret.data[tenantName]: Invalid value',
  ],
  ['a space', { ...usualValues, domainName: 'd ' }, 'secret.data[domainName]: Invalid value'],
  ['an empty user', { ...usualValues, username: '' }, 'secret.data[username]: Invalid value'],
  [
    'a line break',
    { ...usualValues, password: 'SEKRIT\n' },
    'secret.data[password]: Invalid value: "(hidden)": expected no line breaks',
  ],
  [
    'a line break in an id',
    { ...project, applicationCredentialID: 'SEKRIT\n', applicationCredentialSecret: 's' },
    'secret.data[applicationCredentialID]: Invalid value',
  ],
  ['a URL without scheme', { ...usualValues, authURL: 'SEKRIT' }, 'secret.data[authURL]: Invalid value'],
  ['another scheme', { ...usualValues, authURL: 'ftp://SEKRIT/' }, 'secret.data[authURL]: Invalid value'],
  ['no host', { ...usualValues, authURL: 'https://' }, 'secret.data[authURL]: Invalid value'],
  ['a certificate without its lines', { ...usualValues, caCert: 'SEKRIT' }, '-----END CERTIFICATE-----'],
  [
    'neither true nor false',
    { ...usualValues, insecure: 'SEKRIT' },
    'secret.data[insecure]: Unsupported value',
  ],
  [
    'two ways',
    { ...usualValues, applicationCredentialSecret: 'SEKRIT' },
    'secret.data: Invalid value: "(hidden)": expected either password or applicationCredentialSecret',
  ],
  [
    'an id alone',
    { ...project, applicationCredentialID: 'SEKRIT' },
    'secret.data[applicationCredentialSecret]: Required value',
  ],
  [
    'a name without user',
    { ...project, applicationCredentialName: 'n', applicationCredentialSecret: 'SEKRIT' },
    'secret.data[username]: Required value',
  ],
  ['a password without user', { ...project, password: 'SEKRIT' }, 'secret.data[username]: Required value'],
  ['no way', user, 'secret.data: Required value: expected one of these in Secret garden-p/creds'],
  ['another key', { ...usualValues, region: 'SEKRIT' }, 'secret.data[region]: Forbidden'],
  ['a key of DNS', { ...usualValues, OS_PASSWORD: 'SEKRIT' }, 'secret.data[OS_PASSWORD]: Forbidden'],
])('a Secret is refused with %s, without showing it', async (_, values, message) => {
  const answered = await validateSecretObject(secretWith(dataOf(values)))
  expect(answered.allowed).toBe(false)
  expect(answered.message).toContain(message)
  expect(answered.message).not.toMatch(/SEKRIT|U0VLUklU|very-secret/)
})

test('a Secret is ignored if its data do not change', async () => {
  const bad = secretWith({ data: {} })
  const labelled = secretWith({ data: {}, 'metadata.labels': { a: 'b' } })
  expect(await validateSecretObject(labelled, { old: bad })).toMatchObject({ allowed: true })
})

test('a Secret for DNS has its own keys, and the URL of Keystone', () => {
  const names = { OS_DOMAIN_NAME: 'd', OS_PROJECT_NAME: 'p', OS_USERNAME: 'u', OS_PASSWORD: 'w' }
  const errors = (values: Readonly<Record<string, string>>) =>
    secretErrors(secretWith(dataOf(values)), { isForDns: true })
  expect(errors({ ...names, OS_AUTH_URL: 'https://k/v3' })).toEqual([])
  expect(errors(names)).toEqual([
    'secret.data[authURL]: Required value: expected a value in Secret garden-p/creds, found nothing',
  ])
  expect(errors({ ...names, OS_AUTH_URL: 'https://k/v3', OS_USERNAME: ' SEKRIT' })).toEqual([
    'secret.data[OS_USERNAME]: Invalid value: "(hidden)": expected no control characters, and no white space at an end',
  ])
})

describe('a binding', () => {
  const binding = (kind: 'SecretBinding' | 'CredentialsBinding', fields: object) => ({
    apiVersion: kind === 'SecretBinding' ? 'core.gardener.cloud/v1beta1' : 'security.gardener.cloud/v1alpha1',
    kind,
    metadata: { name: 'b', namespace: 'garden-p' },
    provider: { type: 'openstack' },
    ...fields,
  })
  const secretRef = (name: string) => binding('SecretBinding', { secretRef: { name, namespace: 'garden-p' } })
  const reference = (kind: string, apiVersion: string, name = 'creds') =>
    binding('CredentialsBinding', { credentialsRef: { apiVersion, kind, name, namespace: 'garden-p' } })

  test.each([
    ['a Secret', secretRef('creds')],
    ['a v1 Secret', reference('Secret', 'v1')],
    ['an InternalSecret', reference('InternalSecret', 'core.gardener.cloud/v1beta1')],
  ])('of %s is allowed', async (_, object) => {
    expect(await validate(object)).toMatchObject({ allowed: true, message: '' })
  })

  test.each([
    ['a missing Secret', secretRef('none'), 'secrets "none" not found'],
    ['a wrong Secret', secretRef('bad'), 'secret.data[domainName]: Required value'],
    ['a wrong v1 Secret', reference('Secret', 'v1', 'bad'), 'secret.data[domainName]: Required value'],
    [
      'a WorkloadIdentity',
      reference('WorkloadIdentity', 'security.gardener.cloud/v1alpha1'),
      'unsupported credentials reference: version "security.gardener.cloud/v1alpha1", kind "WorkloadIdentity"',
    ],
  ])('of %s is refused', async (_, object, message) => {
    const answered = await validate(object)
    expect(answered.allowed).toBe(false)
    expect(answered.message).toContain(message)
  })

  test('is not looked at again without a change', async () => {
    const garden = gardenWith().filter(({ kind }) => kind !== 'Secret')
    for (const object of [secretRef('bad'), reference('Secret', 'v1', 'bad')])
      expect(await validate(object, { old: object, garden })).toMatchObject({ allowed: true })
  })
})
