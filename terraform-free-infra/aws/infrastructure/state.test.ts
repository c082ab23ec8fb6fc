import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import { stateCodec, statePatch } from './state.ts'

const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'
const kind = 'InfrastructureState'

test('a state is written like in the Go extension and read back', () => {
  const state = { VPC: 'vpc-1', 'Zones/eu-west-1a/Suffix': 'z0', 'Waiting/NAT gateway a': 'x', Unknown: 'y' }
  const written = stateCodec.encode(state)
  expect(written).toEqual({ apiVersion, kind, data: state })
  expect(stateCodec.decode(written)).toEqual(state)
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a state without data', { apiVersion, kind }],
  ['a state with null for data', { apiVersion, kind, data: null }],
])('%s is an empty state', (_, stored) => {
  expect(stateCodec.decode(stored)).toEqual({})
})

test('keys that older releases emptied instead of removing are ignored', () => {
  const data = { VPC: 'vpc-1', KeyPair: '', DHCPOptions: '<deleted>', InternetGateway: null }
  expect(stateCodec.decode({ apiVersion, kind, data })).toEqual({ VPC: 'vpc-1' })
})

test('removed keys are null in the patch', () => {
  expect(statePatch({ VPC: 'vpc-1' }, ['KeyPair'])).toEqual({
    apiVersion,
    kind,
    data: { KeyPair: null, VPC: 'vpc-1' },
  })
})

const failureOf = (stored: unknown): Error => {
  try {
    stateCodec.decode(stored)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it was taken')
}

describe('refused with a problem that a user must fix is', () => {
  const neither = 'it is neither empty nor an InfrastructureState of the provider aws'
  const terraform = 'it is a Terraform state, which is not supported'
  test.each([
    ['the state of Terraform', { version: 4, terraform_version: '0.15.5', resources: [] }, terraform],
    ['packed state of Terraform', { data: 'H4sI', encoding: 'gzip' }, terraform],
    ['another kind', { apiVersion, kind: 'WorkerStatus', data: {} }, neither],
    ['another provider', { apiVersion: 'gcp/v1', kind, data: {} }, neither],
    ['an empty object', {}, neither],
    ['a text', 'state', neither],
    ['data that is no map', { apiVersion, kind, data: [1] }, 'it is damaged'],
    ['values that are no texts', { apiVersion, kind, data: { VPC: 1 } }, 'it is damaged'],
  ])('%s', (_, stored, message) => {
    const error = failureOf(stored)
    expect(error.message).toContain(`cannot read status.state: ${message}`)
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })
})
