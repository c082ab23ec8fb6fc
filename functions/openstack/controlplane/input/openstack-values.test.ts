import { expect, test } from 'vitest'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { inputOf, type OpenStackAsked, password, rendered } from '../testing/control-plane.ts'

const errorOf = (asked: OpenStackAsked): CodedError => {
  try {
    rendered(inputOf(asked))
  } catch (error) {
    if (error instanceof CodedError) return error
    throw error
  }
  throw new Error('no error')
}

const object = "controlplane 'shoot--os--cdefault/control-plane'"
const users = ['ERR_CONFIGURATION_PROBLEM']

test.each<[string, OpenStackAsked, string, readonly string[]]>([
  [
    'an unknown field',
    { providerConfig: { foo: 1 } },
    `could not decode providerConfig of ${object}: strict decoding error: unknown field "foo"`,
    users,
  ],
  ['a missing infrastructure', { networks: null }, 'the infrastructure has no status', []],
  [
    'an infrastructure without a subnet for nodes',
    { networks: { subnets: [] } },
    `could not determine subnet from infrastructureProviderStatus of ${object}: cannot find subnet with purpose "nodes"`,
    [],
  ],
  ['a CloudProfile without a config', { profile: null }, 'the CloudProfile has none', []],
  [
    'no credentials',
    { credentials: undefined },
    'names no Secret with credentials: set spec.secretRef',
    users,
  ],
  [
    'a Secret without a password',
    { credentials: { ...password, password: '' } },
    'cannot read the OpenStack credentials in Secret shoot--os--cdefault/cloudprovider',
    users,
  ],
  [
    'a malformed overlay setting',
    { shootSpec: { networking: { providerConfig: { overlay: {} } } } },
    'could not determine if overlay is enabled: overlay.enabled is not a boolean',
    users,
  ],
  [
    'a version without images',
    { shootSpec: { kubernetes: { version: '1.31.5' } } },
    'could not find image "cloud-controller-manager" for Kubernetes 1.31.5',
    users,
  ],
])('%s ends in an error that says so', (_, asked, message, codes) => {
  const error = errorOf(asked)
  expect(error.message).toContain(message)
  expect(error.codes).toEqual(codes)
  expect(error.message).not.toContain('planted-secret-value')
})

test('no Keystone ends in an error that names both places', () => {
  const { authURL: _, ...credentials } = password
  const { message, codes } = errorOf({ credentials, profile: { keystoneURL: '' } })
  expect(message).toMatch(/has no authURL, and the CloudProfile has no keystoneURL/)
  expect(codes).toEqual(users)
})
