import { describe, expect, test } from 'vitest'
import type { WorkerPool } from '../../contract/objects.ts'
import { clusterOf, poolOf } from '../testing/worker-of.ts'
import { classHash, classInputs, hashOf, inPlaceHashOf, inPlaceInputs } from './class-hash.ts'

const inputs = (data: readonly string[]) => data.map((datum, i) => ({ name: `input ${i}`, datum }))
const rolls = 'this would roll every node of a pool'

/** Results of the functions of the Go extension: the data hashed after the name of the Secret, and the hash. */
const rolling: readonly [string, readonly string[], string][] = [
  ['node agent secret name only', [], '25e07'],
  ['root encrypted true', ['true'], '40093'],
  ['root encrypted false', ['false'], 'd68bf'],
  ['data volumes, by name', ['100Gi', 'io1', 'false', '20Gi', 'gp3', 'true', '7Gi'], '1022b'],
  ['data volume name does not count', ['7Gi'], '84238'],
  [
    '1.33 WorkerConfig raw',
    [
      '{"apiVersion":"aws.provider.extensions.gardener.cloud/v1alpha1","kind":"WorkerConfig","volume":{"iops":3000}}',
    ],
    '84aa8',
  ],
  [
    '1.33 empty WorkerConfig',
    ['{"apiVersion":"aws.provider.extensions.gardener.cloud/v1alpha1","kind":"WorkerConfig"}'],
    '02e13',
  ],
  [
    '1.33 capacity',
    [
      '{"apiVersion":"aws.provider.extensions.gardener.cloud/v1alpha1","kind":"WorkerConfig","nodeTemplate":{"capacity":{"x.y/z":"2"}}}',
    ],
    '2e8fa',
  ],
  ['1.34 volume iops', ['3000'], 'e44ff'],
  ['1.34 volume iops and throughput', ['3000', '250'], 'a1f1e'],
  [
    '1.34 nodeTemplate capacity: quantities as whole numbers, sorted',
    ['cpu=2', 'ephemeral-storage=50000000000', 'memory=9663676416', 'nvidia.com/gpu=1'],
    '4752d',
  ],
  ['1.34 profile name', ['p'], 'b978d'],
  ['1.34 profile arn', ['arn:aws:iam::123456789012:instance-profile/p'], '0a58a'],
  ['1.34 metadata options', ['optional', '3'], '7e177'],
  ['1.34 cpu options', ['4', '2'], '87982'],
  ['1.34 capacity reservation', ['open', 'cr-1', 'arn:aws:resource-groups:x'], 'b5370'],
  ['1.34 spot', ['spot'], 'f640d'],
]

interface InPlaceCase {
  readonly pool: Partial<WorkerPool>
  readonly credentials?: unknown
  /** The data hashed after the Secret and the in-place hash. */
  readonly data?: readonly string[]
  readonly inPlace: string
  readonly hash: string
}

/** The pool of the cases, which each changes. */
const inPlacePool: Partial<WorkerPool> = {
  name: 'i',
  machineImage: { name: 'gardenlinux', version: '1877.3.0' },
  nodeAgentSecretName: 'gardener-node-agent-i',
  volume: { type: 'gp3', size: '50Gi' },
  kubernetesVersion: '1.33.3',
  updateStrategy: 'AutoInPlaceUpdate',
}

const inPlaceCases: readonly [string, InPlaceCase][] = [
  [
    'in place',
    {
      pool: {},
      inPlace: 'fa403f7da5302d94',
      hash: '5f162',
    },
  ],
  [
    'in place, manual',
    {
      pool: {
        updateStrategy: 'ManualInPlaceUpdate',
      },
      inPlace: 'fa403f7da5302d94',
      hash: '5f162',
    },
  ],
  [
    'in place, patch version does not count',
    {
      pool: {
        kubernetesVersion: '1.33.9',
      },
      inPlace: 'fa403f7da5302d94',
      hash: '5f162',
    },
  ],
  [
    'in place, other minor',
    {
      pool: {
        kubernetesVersion: '1.34.1',
      },
      inPlace: 'c31c92eed4a19819',
      hash: '843ee',
    },
  ],
  [
    'in place, image version',
    {
      pool: {
        machineImage: { name: 'gardenlinux', version: '1877.4.0' },
      },
      inPlace: '363e0d676e27a216',
      hash: '5bc44',
    },
  ],
  [
    'in place, image name does not count',
    {
      pool: {
        machineImage: { name: 'other', version: '1877.3.0' },
      },
      inPlace: 'fa403f7da5302d94',
      hash: '5f162',
    },
  ],
  [
    'in place, encrypted',
    {
      pool: {
        volume: { type: 'gp3', size: '50Gi', encrypted: true },
      },
      data: ['true'],
      inPlace: 'fa403f7da5302d94',
      hash: '3c371',
    },
  ],
  [
    'in place, WorkerConfig and data volumes do not count',
    {
      pool: {
        providerConfig: {
          apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
          kind: 'WorkerConfig',
          volume: { iops: 3000 },
        },
        dataVolumes: [{ name: 'x', size: '1Gi', encrypted: true }],
      },
      inPlace: 'fa403f7da5302d94',
      hash: '5f162',
    },
  ],
  [
    'in place, credentials rotated',
    {
      pool: {},
      credentials: {
        rotation: {
          certificateAuthorities: { phase: 'Completed', lastInitiationTime: '2026-01-02T03:04:05Z' },
          serviceAccountKey: { phase: 'Completed', lastInitiationTime: '2026-02-02T03:04:05Z' },
        },
      },
      inPlace: 'a17ed75ab665212b',
      hash: '0036a',
    },
  ],
  [
    'in place, kubelet',
    {
      pool: {
        kubeletConfig: {
          cpuManagerPolicy: 'static',
          kubeReserved: { cpu: '100m', memory: '1Gi', pid: '10k', ephemeralStorage: '2Gi' },
          evictionHard: {
            memoryAvailable: '100Mi',
            imageFSAvailable: '5%',
            imageFSInodesFree: '6%',
            nodeFSAvailable: '7%',
            nodeFSInodesFree: '8%',
          },
        },
      },
      inPlace: 'e397d962d129737e',
      hash: '3ec2b',
    },
  ],
  [
    'in place, empty kubelet config',
    {
      pool: {
        kubeletConfig: {},
      },
      inPlace: 'fa403f7da5302d94',
      hash: '5f162',
    },
  ],
]

describe('a rolling pool is hashed by the Secret of the node agent and by', () => {
  test.each(rolling)('%s', (_, data, hash) => {
    expect(classHash(classInputs({ pool: poolOf(), hashInputs: inputs(data) }, clusterOf())), rolls).toBe(
      hash,
    )
  })

  test('no field that is not set', () => {
    const hashInputs = [
      { name: 'a', datum: undefined },
      { name: 'b', datum: '7Gi' },
    ]
    expect(classHash(classInputs({ pool: poolOf(), hashInputs }, clusterOf()))).toBe('84238')
    expect(classInputs({ pool: poolOf(), hashInputs }, clusterOf())).toHaveLength(3)
  })

  test('no other field of the pool', () => {
    const pool = poolOf({
      name: 'b',
      machineType: 'm5.xlarge',
      machineImage: { name: 'x', version: '2' },
      minimum: 5,
      maximum: 9,
      volume: { type: 'io1', size: '99Gi' },
      labels: { a: 'b' },
      zones: ['z'],
      kubernetesVersion: 'one',
    })
    expect(classHash(classInputs({ pool, hashInputs: [] }, clusterOf())), rolls).toBe('25e07')
  })
})

describe('a pool that is updated in place', () => {
  test.each(inPlaceCases)('%s', (_, { pool: changes, credentials, data = [], inPlace, hash }) => {
    const cluster = clusterOf(credentials ? { status: { credentials } } : {})
    const pool = poolOf({ ...inPlacePool, ...changes })
    expect(inPlaceHashOf(pool, cluster)).toBe(inPlace)
    expect(classHash(classInputs({ pool, hashInputs: inputs(data) }, cluster)), rolls).toBe(hash)
  })

  const dataOf = (pool: Partial<WorkerPool>, credentials?: unknown): readonly string[] =>
    inPlaceInputs(poolOf(pool), clusterOf({ status: { credentials } }))
      .map(({ datum }) => datum)
      .slice(2)

  test('is hashed with quantities in canonical form, reservations as Go prints them, and an empty text for missing eviction thresholds', () => {
    expect(
      dataOf({ kubeletConfig: { kubeReserved: { cpu: '0.5', memory: '1024Mi' }, evictionHard: {} } }),
    ).toEqual(['500m-1Gi-<nil>-<nil>', '----'])
    expect(dataOf({ kubeletConfig: { maxPods: 5, evictionSoft: { memoryAvailable: '5%' } } })).toEqual([])
  })

  const initiated = (time: string | undefined, pending?: object) => ({
    lastInitiationTime: time,
    ...(pending && {
      pendingWorkersRollouts: [{ name: 'other', lastInitiationTime: '2020-01-01T00:00:00Z' }, pending],
    }),
  })
  const of = (certificateAuthorities: object) => ({ rotation: { certificateAuthorities } })
  const time = '2026-01-02T03:04:05Z'

  test('is hashed with the time of the credentials rotation', () => {
    expect(dataOf({}, of(initiated(time)))).toEqual(['2026-01-02 03:04:05 +0000 UTC'])
    expect(dataOf({}, of(initiated('2026-01-02T04:04:05+01:00')))).toEqual(['2026-01-02 03:04:05 +0000 UTC'])
    expect(dataOf({}, of(initiated(undefined)))).toEqual([])
    expect(dataOf({}, {})).toEqual([])
  })

  test('is hashed with the time of its own rollout while that is pending, or without a time if the rollout has none', () => {
    const own = { name: 'a', lastInitiationTime: '2025-05-06T07:08:09Z' }
    expect(dataOf({}, of(initiated(time, own)))).toEqual(['2025-05-06 07:08:09 +0000 UTC'])
    expect(dataOf({}, of(initiated(time, { name: 'a' })))).toEqual([])
    expect(dataOf({}, of(initiated(time, { name: 'b' })))).toEqual(['2026-01-02 03:04:05 +0000 UTC'])
  })
})

describe('a pool has no hash', () => {
  test.each(['AutoRollingUpdate', 'AutoInPlaceUpdate'] as const)(
    'without the Secret of the node agent: %s',
    updateStrategy => {
      const { nodeAgentSecretName: _, ...pool } = poolOf({ updateStrategy })
      expect(() => classHash(classInputs({ pool, hashInputs: [] }, clusterOf()))).toThrow(
        expect.objectContaining({
          message: 'missing node-agent secret name for worker pool "a"',
          codes: ['ERR_CONFIGURATION_PROBLEM'],
        }),
      )
    },
  )

  test('if it is updated in place and has no version', () => {
    const { kubernetesVersion: _, ...pool } = poolOf({ updateStrategy: 'AutoInPlaceUpdate' })
    expect(() => classHash(classInputs({ pool, hashInputs: [] }, clusterOf()))).toThrow(
      expect.objectContaining({
        message:
          'failed to calculate worker pool hash for in-place update: failed to parse kubernetes version : invalid semantic version',
        codes: ['ERR_CONFIGURATION_PROBLEM'],
      }),
    )
  })
})

test('a reservation of the kubelet must be a quantity', () => {
  const pool = poolOf({
    updateStrategy: 'AutoInPlaceUpdate',
    kubeletConfig: { kubeReserved: { memory: '1e1.5' } },
  })
  expect(() => inPlaceHashOf(pool, clusterOf())).toThrow(
    expect.objectContaining({
      message: 'kubeletConfig.kubeReserved: expected a quantity such as 500m or 20Gi, found "1e1.5"',
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    }),
  )
})

test('two lists with the same concatenated text have different hashes', () => {
  expect(hashOf(['ab', 'c'], 64)).not.toBe(hashOf(['a', 'bc'], 64))
  expect(hashOf([], 64)).toHaveLength(64)
})
