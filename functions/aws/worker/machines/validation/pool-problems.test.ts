import { describe, expect, test } from 'vitest'
import { changeProblems, type PoolToCheck } from '../../../../../shared/worker/validation/validation.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { readStored } from '../../../../../test/recorded/stored.ts'
import { poolProblems, zoneProblems } from './pool-problems.ts'

const pool: PoolToCheck = { zones: ['eu-west-1a'], volume: { type: 'gp3', size: '50Gi' } }
const config = (fields: object) => ({ providerConfig: { apiVersion, kind: 'WorkerConfig', ...fields } })
const pathsOf = (fields: PoolToCheck) => poolProblems({ ...pool, ...fields }).map(({ path }) => path)

test('a complete pool has no problem', () => {
  expect(pathsOf({})).toEqual([])
  expect(pathsOf(config({}))).toEqual([])
})

test.each<[string, PoolToCheck, readonly string[]]>([
  ['no volume', { volume: null }, ['volume']],
  ['a volume of nothing', { volume: {} }, ['volume.size', 'volume.type']],
  [
    'a data volume without size and type',
    { dataVolumes: [{ name: 'a' }] },
    ['dataVolumes[0].size', 'dataVolumes[0].type'],
  ],
  [
    'twelve data volumes',
    {
      dataVolumes: Array.from({ length: 12 }, (_, index) => ({
        name: `d${index}`,
        type: 'gp3',
        size: '1Gi',
      })),
    },
    ['dataVolumes'],
  ],
  ['no zones', { zones: [] }, ['zones']],
  ['io1 without a WorkerConfig', { volume: { type: 'io1', size: '50Gi' } }, ['providerConfig']],
  [
    'io1 without IOPS',
    { volume: { type: 'io1', size: '50Gi' }, ...config({}) },
    ['providerConfig.volume.iops'],
  ],
  [
    'a data volume of io1 that the WorkerConfig does not name',
    { dataVolumes: [{ name: 'a', type: 'io1', size: '1Gi' }], ...config({}) },
    ['providerConfig.dataVolumes'],
  ],
  [
    'numbers that are not positive',
    config({ volume: { iops: 0, throughput: -1 } }),
    ['providerConfig.volume.iops', 'providerConfig.volume.throughput'],
  ],
  [
    'settings of no data volume, and twice',
    {
      ...config({ dataVolumes: [{ name: 'b' }, { name: 'a' }, { name: 'a', snapshotID: 'vol-1' }] }),
      dataVolumes: [{ name: 'a', type: 'gp3', size: '1Gi' }],
    },
    [
      'providerConfig.dataVolumes[0].name',
      'providerConfig.dataVolumes[2].name',
      'providerConfig.dataVolumes[2].snapshotID',
    ],
  ],
  [
    'two profiles',
    config({ iamInstanceProfile: { name: 'a', arn: 'arn:x' } }),
    ['providerConfig.iamInstanceProfile'],
  ],
  [
    'a profile, a reservation and a group that are none',
    config({
      iamInstanceProfile: { name: 'a b' },
      capacityReservation: { capacityReservationId: 'r-1' },
    }),
    ['providerConfig.iamInstanceProfile.name', 'providerConfig.capacityReservation.capacityReservationId'],
  ],
  [
    'a profile and a group whose ARNs are none',
    config({
      iamInstanceProfile: { arn: 'nodes' },
      capacityReservation: { capacityReservationResourceGroupArn: 'arn:aws:iam::1:role/x' },
    }),
    [
      'providerConfig.iamInstanceProfile.arn',
      'providerConfig.capacityReservation.capacityReservationResourceGroupArn',
    ],
  ],
  ['no profile', config({ iamInstanceProfile: {} }), ['providerConfig.iamInstanceProfile']],
  [
    'capacities below zero, and a virtual one of half',
    config({ nodeTemplate: { capacity: { cpu: '-1' }, virtualCapacity: { 'a/b': '500m', 'c/d': '2' } } }),
    ['providerConfig.nodeTemplate.capacity["cpu"]', 'providerConfig.nodeTemplate.virtualCapacity["a/b"]'],
  ],
  [
    'metadata options that there are not',
    config({ instanceMetadataOptions: { httpTokens: 'no', httpPutResponseHopLimit: 65 } }),
    [
      'providerConfig.instanceMetadataOptions.httpTokens',
      'providerConfig.instanceMetadataOptions.httpPutResponseHopLimit',
    ],
  ],
  [
    'cores without threads',
    config({ cpuOptions: { coreCount: 2 } }),
    ['providerConfig.cpuOptions.threadsPerCore'],
  ],
  [
    'threads without cores, and too many',
    config({ cpuOptions: { threadsPerCore: 3, amdSevSnp: 'maybe' } }),
    [
      'providerConfig.cpuOptions.coreCount',
      'providerConfig.cpuOptions.threadsPerCore',
      'providerConfig.cpuOptions.amdSevSnp',
    ],
  ],
  [
    'an id with a preference that is open',
    config({ capacityReservation: { capacityReservationPreference: 'open', capacityReservationId: 'cr-1' } }),
    ['providerConfig.capacityReservation.capacityReservationId'],
  ],
  [
    'a market that there is not',
    config({ instanceMarketOptions: { marketType: 'bazaar' } }),
    ['providerConfig.instanceMarketOptions.marketType'],
  ],
  [
    'a host without its tenancy',
    config({ placement: { hostId: 'h-1', partitionNumber: 0 } }),
    ['providerConfig.placement.hostId', 'providerConfig.placement.partitionNumber'],
  ],
  [
    'a primary interface that is efa-only, in a range too',
    config({
      networkInterfaces: [
        { type: 'efa-only', networkCardIndexRange: { from: 0, to: 1 } },
        { type: 'efa-only', deviceIndex: 1 },
      ],
    }),
    ['providerConfig.networkInterfaces[0].type'],
  ],
  ['a field that there is not', config({ zone: 1 }), ['providerConfig']],
])('%s', (_, fields, paths) => {
  expect(pathsOf(fields)).toEqual(paths)
})

test('zones must be those of the infrastructure', () => {
  expect(zoneProblems({ zones: ['b', 'a'] }, ['c', 'a'])).toEqual([
    { path: 'zones[0]', message: 'expected a zone of the infrastructure (a, c), found "b"' },
  ])
})

describe('the problem of a change', () => {
  test.each<[string, PoolToCheck, readonly string[]]>([
    ['zones are added at the end', { zones: ['a', 'b', 'c'] }, []],
    ['none goes', { zones: ['a'] }, ['zones']],
    ['their order stays', { zones: ['b', 'a'] }, ['zones']],
    [
      'a pool in place keeps its volumes and its config',
      { zones: ['a', 'b'], updateStrategy: 'AutoInPlaceUpdate', dataVolumes: [], ...config({}) },
      [],
    ],
  ])('%s', (_, after, paths) => {
    expect(changeProblems({ zones: ['a', 'b'] }, after).map(({ path }) => path)).toEqual(paths)
  })

  test('a change of a protected field of an in-place pool is reported', () => {
    const before = { zones: ['a'], updateStrategy: 'ManualInPlaceUpdate' }
    expect(
      changeProblems(before, { ...before, ...config({}), dataVolumes: [{ name: 'a', size: '1Gi' }] }),
    ).toEqual([
      { path: 'providerConfig', message: 'expected no change because the pool is updated in place' },
      { path: 'dataVolumes', message: 'expected no change because the pool is updated in place' },
    ])
  })
})

interface Review {
  readonly name: string
  readonly object: { readonly spec: { readonly provider: { readonly workers: readonly PoolToCheck[] } } }
  readonly response: { readonly allowed: boolean; readonly status?: { readonly message: string } }
}

/** Problems that need the infrastructure, the CloudProfile or the former pool, not the pool alone. */
const elsewhere = /zone not in infrastructure|image|machine type|update/

describe('the recorded admission', () => {
  const { cases } = readStored('admission/shoot.json') as { readonly cases: readonly Review[] }

  test.each(cases.filter(({ name }) => name.startsWith('worker: ') && !elsewhere.test(name)))(
    '$name: refuses the same pool for the same fields',
    ({ object, response }) => {
      const paths = object.spec.provider.workers
        .flatMap((worker: PoolToCheck) => poolProblems(worker))
        .map(({ path }) => path)
      expect(paths.length === 0).toBe(response.allowed)
      const theirs = [
        ...(response.status?.message ?? '').matchAll(/spec\.provider\.workers\[0\]\.([\w.[\]]+): /g),
      ]
      expect(new Set(paths)).toEqual(new Set(theirs.map(([, path]) => path)))
    },
  )
})

test.each([
  ['cores without threads', { cpuOptions: { coreCount: 2 } }],
  ['the name of an instance profile that IAM refuses', { iamInstanceProfile: { name: 'my profile!' } }],
])('an update may retain an invalid WorkerConfig, and may not add one: %s', (_, fields) => {
  const old = { ...pool, ...config(fields) }
  expect(poolProblems(old, structuredClone(old))).toEqual([])
  expect(poolProblems({ ...old, zones: [] }, old).map(({ path }) => path)).toEqual(['zones'])
  expect(poolProblems(old, pool)).toHaveLength(1)
  const changed = { ...pool, ...config({ ...fields, volume: { iops: 3_000 } }) }
  expect(poolProblems(changed, old)).toHaveLength(1)
})

test('the number of all interfaces is limited, including the interfaces of ranges', () => {
  const range = { networkCardIndexRange: { from: 0, to: 127 } }
  const withRanges = (count: number) =>
    pathsOf(config({ networkInterfaces: Array.from({ length: count }, () => range) }))
  expect(withRanges(2)).toEqual([])
  expect(withRanges(3)).toEqual(['providerConfig.networkInterfaces'])
})
