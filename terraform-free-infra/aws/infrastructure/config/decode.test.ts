import { describe, expect, test } from 'vitest'
import { apiVersion, decodeConfig } from './config.ts'

const minimal = {
  apiVersion,
  kind: 'InfrastructureConfig',
  networks: { vpc: { cidr: '10.0.0.0/16' }, zones: [{ name: 'eu-west-1a', workers: '10.0.0.0/19' }] },
}

describe('a config', () => {
  test('gets empty lists for missing lists, and nothing for other missing fields', () => {
    const decoded = decodeConfig(minimal)
    expect(decoded).toEqual({
      ok: true,
      config: {
        ...minimal,
        networks: {
          vpc: { cidr: '10.0.0.0/16', gatewayEndpoints: [] },
          zones: [{ name: 'eu-west-1a', workers: '10.0.0.0/19' }],
        },
      },
    })
  })

  test('may have null for omitted fields, as Go writes them', () => {
    const decoded = decodeConfig({
      ...minimal,
      dualStack: null,
      ignoreTags: { keys: null, keyPrefixes: ['a'] },
      networks: { vpc: { id: null, cidr: '10.0.0.0/16', gatewayEndpoints: null }, zones: null },
    })
    expect(decoded).toEqual({
      ok: true,
      config: {
        ...minimal,
        ignoreTags: { keys: [], keyPrefixes: ['a'] },
        networks: { vpc: { cidr: '10.0.0.0/16', gatewayEndpoints: [] }, zones: [] },
      },
    })
  })

  const with_ = (networks: object, rest: object = {}) => ({
    ...minimal,
    ...rest,
    networks: { ...minimal.networks, ...networks },
  })
  test.each([
    ['nothing', undefined, '', 'expected an object, found nothing'],
    ['another version', { ...minimal, apiVersion: 'aws/v2' }, 'apiVersion', `expected "${apiVersion}"`],
    ['another kind', { ...minimal, kind: 'WorkerConfig' }, 'kind', 'expected "InfrastructureConfig"'],
    ['no networks', { ...minimal, networks: undefined }, 'networks', 'expected an object, found nothing'],
    ['a field too many', { ...minimal, region: 'x' }, 'region', 'unknown field'],
    [
      'a field too many inside',
      with_({ vpc: { cdir: '10.0.0.0/16' } }),
      'networks.vpc.cdir',
      'unknown field',
    ],
    [
      'more zones than any region has',
      with_({ zones: Array.from({ length: 101 }, (_, index) => ({ name: `z${index}` })) }),
      'networks.zones',
      'expected at most 100 zones',
    ],
    ['a zone that is a name', with_({ zones: ['eu-west-1a'] }), 'networks.zones[0]', 'expected an object'],
    ['a zone without a name', with_({ zones: [{}] }), 'networks.zones[0].name', 'expected a string'],
    ['a text for a switch', with_({}, { dualStack: { enabled: 'yes' } }), 'dualStack.enabled', 'a boolean'],
  ])('an endpoint with %s is refused', (_, value, path, message) => {
    const decoded = decodeConfig(value)
    expect(decoded.ok ? [] : decoded.problems).toEqual([{ path, message: expect.stringContaining(message) }])
  })

  test('for a deletion may have unknown fields', () => {
    const value = {
      ...with_({ vpc: { cidr: '10.0.0.0/16', hat: { size: 1 } } }),
      networks: { ...minimal.networks, vpc: { cidr: '10.0.0.0/16', hat: 1 }, colour: 'red' },
      old: [],
    }
    expect(decodeConfig(value, { lenient: true })).toEqual(decodeConfig(minimal))
    expect(decodeConfig({ ...value, kind: 1 }, { lenient: true }).ok).toBe(false)
  })
})
