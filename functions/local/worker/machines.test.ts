import { describe, expect, test } from 'vitest'
import type { Cluster, WorkerPool } from '../../../shared/contract/objects.ts'
import { clusterOf, workerOf } from '../../../shared/worker/testing/worker-of.ts'
import { localMachines } from './machines.ts'
import { cloudProfile, newLocalSeed, poolOf } from './testing/local-seed.ts'

interface Asked {
  readonly pools?: readonly WorkerPool[]
  readonly profile?: Cluster['spec']['cloudProfile']
  readonly ipFamilies?: readonly string[]
  readonly providerStatus?: Readonly<Record<string, unknown>>
}

const desiredOf = ({
  pools = [poolOf()],
  profile = cloudProfile,
  ipFamilies,
  providerStatus,
}: Asked = {}) => {
  const worker = workerOf({ pools, ...(providerStatus && { status: { providerStatus } }) })
  const cluster = clusterOf({
    spec: { networking: { ...(ipFamilies && { ipFamilies: [...ipFamilies] }) } },
    status: { technicalID: 'shoot--foo--bar' },
  })
  return localMachines.desired({
    worker: { ...worker, spec: { ...worker.spec, region: 'local', pools: [...pools] } },
    cluster: { ...cluster, spec: { ...cluster.spec, cloudProfile: profile } },
    technicalId: 'shoot--foo--bar',
  })
}
const classesOf = (asked: Asked) => {
  const [pool] = desiredOf(asked).pools
  if (pool?.kind !== 'classes') throw pool?.error
  return pool
}
const problemOf = (asked: Asked): string => {
  const [pool] = desiredOf(asked).pools
  if (pool?.kind !== 'problem') throw new Error('there is no problem')
  expect(pool.error).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  return pool.error.message
}

describe('the class of a machine', () => {
  test.each<[readonly string[], object]>([
    [[], { ipPoolNameV4: 'shoot-machine-pods-shoot--foo--bar-ipv4' }],
    [['IPv6'], { ipPoolNameV6: 'shoot-machine-pods-shoot--foo--bar-ipv6' }],
    [
      ['IPv4', 'IPv6'],
      {
        ipPoolNameV4: 'shoot-machine-pods-shoot--foo--bar-ipv4',
        ipPoolNameV6: 'shoot-machine-pods-shoot--foo--bar-ipv6',
      },
    ],
  ])('has the IP pools of its families: %j', (ipFamilies, names) => {
    expect(classesOf({ ipFamilies }).zones[0]?.content).toMatchObject({
      labels: {},
      provider: 'local',
      providerSpec: {
        image: 'registry.example.org/node:1.0.0',
        namespace: 'infra-shoot--foo--bar',
        ...names,
      },
    })
    expect(Object.keys(classesOf({ ipFamilies }).zones[0]?.content.providerSpec ?? {})).toHaveLength(
      2 + Object.keys(names).length,
    )
  })

  test('has the region if the pool has no zones', () => {
    expect(classesOf({}).zones.map(({ zone }) => zone)).toEqual(['local'])
    expect(classesOf({ pools: [poolOf({ zones: ['0', '1'] })] }).zones.map(({ zone }) => zone)).toEqual([
      '0',
      '1',
    ])
  })

  test('contains nothing for the autoscaler if the pool sets nothing', () => {
    const { nodeTemplate: _, ...pool } = poolOf()
    expect(classesOf({ pools: [pool] }).zones[0]?.content.nodeTemplate).toBeUndefined()
    expect(classesOf({}).zones[0]?.content.nodeTemplate).toEqual({
      capacity: { cpu: '2', gpu: '0', memory: '4Gi' },
      instanceType: 'local',
      region: 'local',
      zone: 'local',
      architecture: 'amd64',
    })
  })
})

describe('the image of a machine', () => {
  const flavored = {
    ...cloudProfile,
    spec: {
      machineCapabilities: [{ name: 'architecture', values: ['amd64', 'arm64'] }],
      machineTypes: [{ name: 'local', capabilities: { architecture: ['arm64'] } }],
      providerConfig: {
        machineImages: [
          {
            name: 'local',
            versions: [
              {
                version: '1.0.0',
                capabilityFlavors: [
                  { image: 'node:amd', capabilities: { architecture: ['amd64'] } },
                  { image: 'node:arm', capabilities: { architecture: ['arm64'] } },
                ],
              },
            ],
          },
        ],
      },
    },
  }

  test('has the capabilities of the machine type, and the status contains them', () => {
    expect(desiredOf({ profile: flavored }).providerStatus).toEqual({
      apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'WorkerStatus',
      machineImages: [
        { name: 'local', version: '1.0.0', image: 'node:arm', capabilities: { architecture: ['arm64'] } },
      ],
    })
  })

  const providerStatus = {
    machineImages: [{ name: 'local', version: '0.9.0', image: 'node:old' }],
  }
  const old = poolOf({ machineImage: { name: 'local', version: '0.9.0' } })

  test('comes from the status if the CloudProfile no longer has it', () => {
    const desired = desiredOf({ pools: [old], providerStatus })
    expect(desired.pools[0]).toMatchObject({ zones: [{ content: { providerSpec: { image: 'node:old' } } }] })
    expect(desired.providerStatus).toMatchObject(providerStatus)
  })

  test('of a pool with a problem is retained in the status', () => {
    const pools = [poolOf(), { ...old, name: 'b', machineType: 'huge' }]
    expect(desiredOf({ pools, providerStatus }).providerStatus).toMatchObject({
      machineImages: [{ version: '1.0.0' }, { version: '0.9.0' }],
    })
  })

  test('that does not exist is reported with the pool and a fix', () => {
    expect(problemOf({ pools: [old] })).toBe(
      'could not find machine image "local" of version "0.9.0" for machine type "local", neither in cloud profile "local" nor in the worker status (worker pool "pool", spec.pools[0].machineImage). Choose one of its providerConfig.machineImages',
    )
  })
})

test('a machine type missing in the CloudProfile is reported, and the other pools continue (L7)', async () => {
  expect(problemOf({ pools: [poolOf({ machineType: 'huge' })] })).toBe(
    'machine type "huge" not found in cloud profile "local" (worker pool "pool", spec.pools[0].machineType). Choose one of its spec.machineTypes',
  )
  const seed = await newLocalSeed({ pools: [poolOf(), poolOf({ name: 'b', machineType: 'huge' })] })
  await seed.step()
  const { status } = await seed.live()
  expect(status?.lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  expect((await seed.machineObjects('MachineDeployment')).map(({ metadata }) => metadata.name)).toEqual([
    'shoot--p--x-pool-z1',
  ])
})

test.each<[string, Cluster['spec']['cloudProfile']]>([
  ['spec.machineTypes', { spec: { machineTypes: 'PLANTED' } }],
  ['providerConfig', { spec: { providerConfig: { machineImages: 'PLANTED' } } }],
])('a CloudProfile with an unreadable %s is an error of the operator', (field, profile) => {
  expect(() => desiredOf({ profile })).toThrow(field.replace('spec.', ''))
  expect(() => desiredOf({ profile })).not.toThrow('PLANTED')
})

test('every zone has the limits of its pool and a share of its machines', async () => {
  const seed = await newLocalSeed({
    pools: [poolOf({ zones: ['0', '1'], minimum: 3, maximum: 5, maxSurge: '25%', maxUnavailable: 1 })],
  })
  await seed.converge()
  const deployments = await seed.machineObjects('MachineDeployment')
  expect(deployments.map(({ spec }) => Object(spec).strategy)).toEqual([
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
  ])
  expect((await seed.live()).status?.machineDeployments).toMatchObject([
    { minimum: 2, maximum: 3 },
    { minimum: 1, maximum: 2 },
  ])
})

test('a Worker is deleted with its machines, and a forced deletion orphans them', async () => {
  const seed = await newLocalSeed()
  await seed.converge()
  await seed.remove()
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.machineObjects('MachineDeployment')).toEqual([])
  expect(await seed.classSecrets()).toEqual([])
})
