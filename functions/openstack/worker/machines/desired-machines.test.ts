import { describe, expect, test } from 'vitest'
import type { Cluster, Worker, WorkerPool } from '../../../../shared/contract/objects.ts'
import { desiredWorker } from '../../../../shared/worker/desired/desired-worker.ts'
import { recordedMachines } from '../testing/recordings.ts'
import { desiredMachines } from './desired-machines.ts'
import { machineHashInputs } from './machines.ts'

const { input } = recordedMachines('minimal')
const apiVersion = 'openstack.provider.extensions.gardener.cloud/v1alpha1'
const usual = input.worker.spec.pools[0] as WorkerPool

interface Inputs {
  readonly pool?: Partial<WorkerPool>
  readonly config?: object
  readonly profile?: object
  readonly shoot?: Cluster['spec']['shoot']
  readonly spec?: Partial<Worker['spec']>
  readonly providerStatus?: object
}

const desiredOf = ({ pool, config, profile, shoot, spec, providerStatus }: Inputs = {}) => {
  const made = {
    ...usual,
    ...pool,
    ...(config && { providerConfig: { apiVersion, kind: 'WorkerConfig', ...config } }),
  }
  const worker: Worker = {
    ...input.worker,
    spec: { ...input.worker.spec, ...spec, pools: [made] },
    ...(providerStatus && {
      status: { providerStatus: { apiVersion, kind: 'WorkerStatus', ...providerStatus } },
    }),
  }
  const { cloudProfile } = input.cluster.spec
  const cluster: Cluster = {
    ...input.cluster,
    spec: {
      ...input.cluster.spec,
      cloudProfile: { ...cloudProfile, spec: { ...cloudProfile.spec, ...profile } },
      shoot: { ...input.cluster.spec.shoot, ...shoot },
    },
  }
  const desired = desiredWorker({ desired: desiredMachines }, { worker, cluster })
  const [deployment] = desired.deployments
  const { providerSpec, nodeTemplate } = deployment?.zone.content ?? {}
  return {
    hash: deployment?.className.slice(-5),
    machine: Object(providerSpec).spec as Readonly<Record<string, unknown>>,
    nodeTemplate,
    problem: desired.problems[0]?.error.message,
    status: desired.providerStatus,
  }
}

const group = { serverGroupDependencies: [{ poolName: 'a', id: 'g1', name: 'n' }] }
const policy = { serverGroup: { policy: 'anti-affinity' } }

describe('the hash', () => {
  test('has server group, machine labels that roll, and security groups, sorted', () => {
    expect(desiredOf().hash).toBe('25e07')
    const labels = [
      { name: 'b', value: '1', triggerRollingOnUpdate: true },
      { name: 'a', value: '2', triggerRollingOnUpdate: true },
      { name: 'c', value: '3' },
    ]
    const config = { ...policy, machineLabels: labels, additionalSecurityGroups: ['y', 'x'] }
    const { hash } = desiredOf({ config, providerStatus: group })
    const reordered = {
      ...config,
      machineLabels: labels.toReversed().slice(1),
      additionalSecurityGroups: ['x', 'y'],
    }
    expect(desiredOf({ config: reordered, providerStatus: group }).hash).toBe(hash)
    const other = { serverGroupDependencies: [{ poolName: 'a', id: 'g2', name: 'n' }] }
    expect(desiredOf({ config, providerStatus: other }).hash).not.toBe(hash)
  })

  test('of a pool that is updated in place has none of them (D16)', () => {
    const pool = { updateStrategy: 'AutoInPlaceUpdate' as const }
    const config = { ...policy, additionalSecurityGroups: ['x'] }
    const plain = desiredOf({ pool })
    const all = desiredOf({ pool, config, providerStatus: group })
    expect(all.hash).toBe(plain.hash)
    expect(all.machine).toMatchObject({ serverGroupID: 'g1', securityGroups: [expect.any(String), 'x'] })
  })

  test('has the policy in place of the server group for an admission', () => {
    const providerConfig = { apiVersion, kind: 'WorkerConfig', ...policy }
    expect(machineHashInputs({ ...usual, providerConfig })).toMatchObject([{ datum: 'anti-affinity' }])
  })
})

describe('a machine', () => {
  test('has the subnets and pod ranges of both families', () => {
    const status = Object(input.worker.spec.infrastructureProviderStatus)
    const subnets = [
      { purpose: 'nodes-ipv6', id: 's6', cidr: '' },
      { purpose: 'pods', id: 'p', cidr: '' },
      { purpose: 'nodes', id: 's4', cidr: '10.0.0.0/16' },
    ]
    const { machine } = desiredOf({
      spec: { infrastructureProviderStatus: { ...status, networks: { ...status.networks, subnets } } },
      shoot: {
        ...input.cluster.spec.shoot,
        status: { networking: { pods: ['100.96.0.0/11', '2001:db8::/64'] } },
      },
    })
    expect(machine).toMatchObject({
      subnetIDs: ['s4', 's6'],
      podNetworkCIDRs: ['100.96.0.0/11', '2001:db8::/64'],
    })
  })

  test('has capacities of the WorkerConfig without those of the pool (D17)', () => {
    const { nodeTemplate: _, ...pool } = usual
    const config = { nodeTemplate: { capacity: { cpu: '2000m' }, virtualCapacity: { 'x.y/z': 1 } } }
    const { nodeTemplate } = desiredOf({ pool: { ...pool, nodeTemplate: undefined as never }, config })
    expect(nodeTemplate).toMatchObject({ capacity: { cpu: '2' }, virtualCapacity: { 'x.y/z': '1' } })
  })

  test('has a root disk of the machine type with a size in GiB', () => {
    const machineTypes = [{ name: 'm5.large', storage: { class: 'x', type: 'fast', size: '1Ti' } }]
    expect(desiredOf({ profile: { machineTypes } }).machine).toMatchObject({
      rootDiskType: 'fast',
      rootDiskSize: 1_024,
    })
  })
})

const image = (versions: readonly object[]) => ({
  providerConfig: { machineImages: [{ name: 'gardenlinux', versions }] },
})
const version = '1877.3.0'
const elsewhere = [{ name: 'Elsewhere', id: 'there' }]
const here = [{ name: 'RegionOne', id: 'here' }]
const capabilities = {
  machineCapabilities: [
    { name: 'architecture', values: ['amd64', 'arm64'] },
    { name: 'boot', values: ['uefi', 'bios'] },
  ],
}

describe('the image', () => {
  test('of another region is found by its name', () => {
    const profile = image([{ version, image: 'linux', regions: elsewhere }])
    expect(desiredOf({ profile }).machine).toMatchObject({ imageName: 'linux' })
    expect(desiredOf({ profile: image([{ version, regions: elsewhere }]) }).problem).toContain(
      'the cloud profile has no image of it in RegionOne, and no image name (worker pool "a", spec.pools[0].machineImage)',
    )
  })

  test('has an id in the region before a name', () => {
    const profile = image([{ version, image: 'linux', regions: [...elsewhere, ...here] }])
    const { machine, status } = desiredOf({ profile })
    expect(machine).toMatchObject({ imageID: 'here' })
    expect(machine).not.toHaveProperty('imageName')
    expect(status?.machineImages).toEqual([
      { name: 'gardenlinux', version, id: 'here', architecture: 'amd64' },
    ])
  })

  test('has the preferred capabilities that the machine has', () => {
    const flavor = (boot: string, id: string) => ({
      capabilities: { architecture: ['amd64'], boot: [boot] },
      regions: [{ name: 'RegionOne', id }],
    })
    const profile = {
      ...image([{ version, capabilityFlavors: [flavor('bios', 'b'), flavor('uefi', 'u')] }]),
      ...capabilities,
    }
    const { machine, status } = desiredOf({ profile })
    expect(machine).toMatchObject({ imageID: 'u' })
    expect(status?.machineImages).toEqual([
      { name: 'gardenlinux', version, id: 'u', capabilities: { architecture: ['amd64'], boot: ['uefi'] } },
    ])
    const twice = image([{ version, capabilityFlavors: [flavor('uefi', 'u'), flavor('uefi', 'v')] }])
    expect(desiredOf({ profile: { ...twice, ...capabilities } }).problem).toContain('u and v of the cloud')
  })

  test('in use stays when the cloud profile has it no more, by its name or id', () => {
    const profile = image([])
    const used = { name: 'gardenlinux', version, image: 'old' }
    const { machine, status } = desiredOf({ profile, providerStatus: { machineImages: [used] } })
    expect(machine).toMatchObject({ imageName: 'old' })
    expect(status?.machineImages).toEqual([{ ...used, architecture: 'amd64' }])
    const arm = { ...used, architecture: 'arm64' }
    expect(desiredOf({ profile, providerStatus: { machineImages: [arm] } }).problem).toContain(
      'no machine image found for image "gardenlinux" with version "1877.3.0" and architecture "amd64"',
    )
  })
})

describe('a problem', () => {
  test.each([
    [
      { pool: { zones: [] } },
      'expected at least one zone, found none (worker pool "a", spec.pools[0].zones)',
    ],
    [{ pool: { volume: { size: 'Gi' } } }, 'spec.pools[0].volume.size'],
    [{ pool: { volume: { size: '9999999999Gi' } } }, 'exceeds 2147483647'],
    [{ config: { nodeTemplate: { capacity: { cpu: 'x' } } } }, 'spec.pools[0].providerConfig'],
    [
      { pool: { nodeTemplate: { capacity: { cpu: '1e1.5' } } } },
      'spec.pools[0].nodeTemplate). Correct the quantity',
    ],
    [{ config: policy }, 'server group is required for pool "a", but no server group dependency found'],
  ])('%j of a pool names the field', (inputs: Inputs, message) => {
    expect(desiredOf(inputs).problem).toContain(message)
  })

  test.each([
    [{ spec: { infrastructureProviderStatus: {} } }, 'spec.infrastructureProviderStatus'],
    [{ providerStatus: { nope: 1 } }, 'unknown field "nope" (status.providerStatus)'],
    [{ profile: { machineTypes: 'x' } }, 'could not decode cloud profile "openstack": machineTypes'],
  ])('%j of the Worker names the field', (inputs: Inputs, message) => {
    expect(() => desiredOf(inputs)).toThrow(message)
  })
})
