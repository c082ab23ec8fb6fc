import { describe, expect, test } from 'vitest'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type InfrastructureConfig,
} from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import { requestOf } from './actuator.ts'
import {
  type ConfigParts,
  clusterOf,
  configOf,
  infrastructureOf,
  sshPublicKey,
  zones,
} from './testing/objects.ts'

const goalOf = ({
  config,
  state,
  ...asked
}: {
  readonly object: Infrastructure
  readonly cluster: Cluster | undefined
  readonly config: InfrastructureConfig
  readonly state: Readonly<Record<string, string>>
}) => {
  const { signal } = new AbortController()
  const request = requestOf({ ...asked, secret: undefined, signal, throwIfExpired: () => {} })
  return desiredInfrastructure(request, config, state)
}
const goal = (parts: ConfigParts = {}, cluster = clusterOf(), state: Readonly<Record<string, string>> = {}) =>
  goalOf({
    object: infrastructureOf(parts),
    cluster,
    config: configOf(parts),
    state,
  })
const desiredOf = (...args: Parameters<typeof goal>) => goal(...args).desired

test('a shoot with one zone is desired with the defaults', () => {
  expect(goal()).toEqual({
    state: { 'Zones/eu-west-1a/Suffix': 'z0', CreatedFor: 'shoot-uid' },
    desired: {
      clusterName: 'shoot--foo--bar',
      uid: 'shoot-uid',
      otherUids: ['infrastructure-uid'],
      shootUid: 'shoot-uid',
      stateless: true,
      adopt: undefined,
      region: 'eu-west-1',
      ipFamilies: ['IPv4'],
      vpc: { kind: 'managed', cidr: '10.250.0.0/16', dedicatedTenancy: false, ipv6: undefined },
      gatewayEndpoints: [],
      zones: {
        kind: 'managed',
        zones: [
          {
            name: 'eu-west-1a',
            suffix: 'z0',
            index: 0,
            workers: '10.250.0.0/19',
            internal: '10.250.100.0/22',
            public: '10.250.96.0/22',
            elasticIp: undefined,
          },
        ],
      },
      nodesSecurityGroup: undefined,
      efa: false,
      fileSystem: undefined,
      ecrAccess: true,
      sshPublicKey,
      ignoreTags: { keys: [], keyPrefixes: [] },
    } satisfies DesiredInfrastructure,
  })
})

test('without a Cluster, the shoot is assumed to have IPv4', () => {
  const { desired } = goalOf({
    object: infrastructureOf(),
    cluster: undefined,
    config: configOf(),
    state: {},
  })
  expect(desired).toMatchObject({ ipFamilies: ['IPv4'], shootUid: 'infrastructure-uid', efa: false })
})

describe('the desired state follows the config', () => {
  const rest = {
    enableECRAccess: false,
    enableDedicatedTenancyForVPC: true,
    elasticFileSystem: { enabled: true, id: 'fs-1' },
    ignoreTags: { keys: ['a'], keyPrefixes: ['b'] },
  }
  test('field by field', () => {
    const vpc = { cidr: '10.250.0.0/16', gatewayEndpoints: ['s3', 'dynamodb', 's3'] }
    const address = { ...zones(1)[0], elasticIPAllocationID: 'eipalloc-1' }
    expect(desiredOf({ vpc, rest, zones: [address] })).toMatchObject({
      vpc: { dedicatedTenancy: true },
      gatewayEndpoints: ['s3', 'dynamodb'],
      ecrAccess: false,
      fileSystem: { id: 'fs-1' },
      ignoreTags: { keys: ['a'], keyPrefixes: ['b'] },
      zones: { zones: [{ elasticIp: 'eipalloc-1' }] },
    })
  })

  test.each<[string, object, DesiredInfrastructure['fileSystem']]>([
    ['absent by default', {}, undefined],
    ['absent if it is disabled', { elasticFileSystem: { enabled: false, id: 'fs-1' } }, undefined],
    ['a managed one', { elasticFileSystem: { enabled: true } }, { id: undefined }],
    ['one of the user', { elasticFileSystem: { enabled: true, id: 'fs-1' } }, { id: 'fs-1' }],
  ])('the file system is %s', (_, config, expected) => {
    expect(desiredOf({ rest: config }).fileSystem).toEqual(expected)
  })

  test('no key pair without a key', () => {
    const object = infrastructureOf({ spec: { sshPublicKey: '' } })
    const { desired } = goalOf({ object, cluster: clusterOf(), config: configOf(), state: {} })
    expect(desired.sshPublicKey).toBeUndefined()
  })
})

describe('IPv6', () => {
  const pool = { cidr: '10.250.0.0/16', ipv6IpamPool: { id: 'ipam-pool-1', cidrBlock: '2001:db8::/56' } }
  const dual = { ipFamilies: ['IPv4', 'IPv6'] }
  const legacy = { dualStack: { enabled: true } }
  test.each<[string, ConfigParts, object, Partial<DesiredInfrastructure>]>([
    [
      'of Amazon for a dual-stack shoot',
      {},
      dual,
      { vpc: expect.objectContaining({ ipv6: { kind: 'amazon' } }) },
    ],
    [
      'of Amazon for the switch of the config alone, which adds no family',
      { rest: legacy },
      {},
      { ipFamilies: ['IPv4'], vpc: expect.objectContaining({ ipv6: { kind: 'amazon' } }) },
    ],
    [
      'of a pool',
      { vpc: pool },
      dual,
      {
        vpc: expect.objectContaining({
          ipv6: { kind: 'pool', poolId: 'ipam-pool-1', cidr: '2001:db8::/56' },
        }),
      },
    ],
    [
      'of a pool only with the family',
      { vpc: pool },
      {},
      { vpc: expect.objectContaining({ ipv6: undefined }) },
    ],
    [
      'in an existing VPC',
      { vpc: { id: 'vpc-1' } },
      dual,
      { vpc: { kind: 'existing', id: 'vpc-1', ipv6: true } },
    ],
    [
      'not in an existing VPC',
      { vpc: { id: 'vpc-1' } },
      {},
      { vpc: { kind: 'existing', id: 'vpc-1', ipv6: false } },
    ],
  ])('comes %s', (_, parts, networking, expected) => {
    expect(desiredOf(parts, clusterOf({ networking }))).toMatchObject(expected)
  })

  test('alone gives the workers no IPv4', () => {
    const cluster = clusterOf({ networking: { ipFamilies: ['IPv6'] } })
    expect(desiredOf({}, cluster).zones).toMatchObject({ zones: [{ workers: undefined }] })
  })
})

describe('the suffix of a zone', () => {
  const suffixes = (count: number, state: Readonly<Record<string, string>>) =>
    desiredOf({ zones: zones(count) }, clusterOf(), state).zones.zones.map(({ suffix }) => suffix)
  test.each<[string, number, Readonly<Record<string, string>>, string[]]>([
    ['counts on', 3, {}, ['z0', 'z1', 'z2']],
    ['stays', 2, { 'Zones/eu-west-1a/Suffix': 'z1', 'Zones/eu-west-1b/Suffix': 'z0' }, ['z1', 'z0']],
    ['is not that of a zone that is gone', 2, { 'Zones/eu-west-1c/Suffix': 'z0' }, ['z1', 'z2']],
    ['is the smallest that is free', 2, { 'Zones/eu-west-1a/Suffix': 'z1' }, ['z1', 'z0']],
  ])('%s', (_, count, state, expected) => {
    expect(suffixes(count, state)).toEqual(expected)
  })

  test('is added to the existing suffixes in the state', () => {
    const state = { VPC: 'vpc-1', 'Zones/eu-west-1c/Suffix': 'z0' }
    expect(goal({}, clusterOf(), state).state).toEqual({
      ...state,
      'Zones/eu-west-1a/Suffix': 'z1',
      CreatedFor: 'shoot-uid',
    })
  })
})

// docs/contract/provider-aws-defects.md#a-zone-twice
test('a zone that a config repeats counts once, in its first place', () => {
  const [a = {}, b = {}] = zones(2)
  const twice = [a, { ...b, name: 'eu-west-1a' }, b]
  expect(desiredOf({ zones: twice }).zones.zones).toMatchObject([
    { name: 'eu-west-1a', index: 0, workers: '10.250.0.0/19' },
    { name: 'eu-west-1b', index: 2 },
  ])
})

describe('own subnets', () => {
  const own = {
    vpc: { id: 'vpc-1' },
    zones: [{ name: 'eu-west-1a', workersSubnetID: 'subnet-w', publicSubnetID: 'subnet-p' }],
  }
  const overlay = (enabled: boolean | undefined) => ({ providerConfig: { overlay: { enabled } } })
  test.each<[string, object, boolean]>([
    ['without an overlay', overlay(false), true],
    ['with an overlay', overlay(true), false],
    ['when nothing is said of an overlay', {}, false],
    ['when nothing is said of its being on', overlay(undefined), false],
    ['with IPv6 beside', { ...overlay(false), ipFamilies: ['IPv4', 'IPv6'] }, true],
    ['with IPv6 alone', { ...overlay(false), ipFamilies: ['IPv6'] }, false],
  ])('have route tables to tag %s: %s', (_, networking, tagRouteTables) => {
    expect(desiredOf(own, clusterOf({ networking })).zones).toEqual({
      kind: 'own',
      zones: [
        { name: 'eu-west-1a', suffix: 'z0', workers: 'subnet-w', internal: undefined, public: 'subnet-p' },
      ],
      tagRouteTables,
    })
  })
})

describe('EFA', () => {
  const worker = (...types: (string | null)[]) => ({
    providerConfig: { kind: 'WorkerConfig', networkInterfaces: types.map(type => ({ type })) },
  })
  test.each<[string, Record<string, unknown>[], boolean]>([
    ['no pool', [], false],
    ['a pool without config', [{ name: 'a' }, { name: 'b', providerConfig: null }], false],
    ['plain interfaces', [worker('interface', null)], false],
    ['efa', [worker('interface'), worker('interface', 'efa')], true],
    ['efa-only', [worker('efa-only')], true],
  ])('exists with %s: %s', (_, workers, efa) => {
    expect(desiredOf({}, clusterOf({ workers })).efa).toBe(efa)
  })
})
