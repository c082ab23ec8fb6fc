import { describe, expect, test } from 'vitest'
import type { WorkerPool } from '../../contract/objects.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import { poolOf } from '../testing/worker-of.ts'
import { deploymentContent, deploymentPatch, newDeployment } from './deployment-object.ts'

const name = 'shoot--p--x-a-z1'

const desiredOf = (
  pool: Partial<WorkerPool> = {},
  parts: Partial<DesiredDeployment> = {},
): DesiredDeployment => ({
  name,
  className: `${name}-12345`,
  pool: poolOf(pool),
  zone: {
    zone: 'z1',
    nodeLabels: { 'topology.kubernetes.io/zone': 'z1' },
    content: { labels: {}, provider: 'Box', providerSpec: {}, nodeTemplate: undefined },
  },
  minimum: 1,
  maximum: 2,
  maxSurge: '15%',
  maxUnavailable: 0,
  autoPreserveFailedMachineMax: 0,
  ...parts,
})

const made = (desired: DesiredDeployment, replicas = 2) =>
  newDeployment(name, 'shoot--p--x', deploymentContent(desired, 'worker'), replicas)

test('the deployment of a pool without optional fields', () => {
  expect(made(desiredOf({ labels: { role: 'node' } }))).toEqual({
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind: 'MachineDeployment',
    metadata: { name, namespace: 'shoot--p--x', labels: { 'worker.gardener.cloud/pool': 'a' } },
    spec: {
      minReadySeconds: 500,
      replicas: 2,
      revisionHistoryLimit: 0,
      selector: { matchLabels: { name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '15%', maxUnavailable: 0 } },
      template: {
        metadata: { labels: { name } },
        spec: {
          class: { kind: 'MachineClass', name: `${name}-12345` },
          nodeTemplate: {
            metadata: { labels: { role: 'node', 'topology.kubernetes.io/zone': 'z1' } },
            spec: {},
          },
        },
      },
    },
  })
})

test('the deployment of a pool with all fields', () => {
  const taints = [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }]
  const desired = desiredOf(
    {
      labels: { 'topology.kubernetes.io/zone': 'of the pool' },
      annotations: { on: 'nodes' },
      taints,
      updateStrategy: 'ManualInPlaceUpdate',
      clusterAutoscaler: {
        scaleDownUtilizationThreshold: '0.5',
        scaleDownGpuUtilizationThreshold: '0.4',
        scaleDownUnneededTime: '15m',
        scaleDownUnreadyTime: '1h',
        maxNodeProvisionTime: '90s',
      },
      machineControllerManager: {
        machineDrainTimeout: '2h',
        machineHealthTimeout: '10m',
        machineCreationTimeout: '20m',
        machinePreserveTimeout: '72h',
        inPlaceUpdateTimeout: '30m',
        disableHealthTimeout: false,
        maxEvictRetries: 10,
        nodeConditions: ['ReadonlyFilesystem', 'KernelDeadlock'],
      },
    },
    { autoPreserveFailedMachineMax: 1 },
  )
  const { metadata, spec } = made(desired, 0)
  expect(metadata.annotations).toEqual({
    'autoscaler.gardener.cloud/scale-down-utilization-threshold': '0.5',
    'autoscaler.gardener.cloud/scale-down-gpu-utilization-threshold': '0.4',
    'autoscaler.gardener.cloud/scale-down-unneeded-time': '15m0s',
    'autoscaler.gardener.cloud/scale-down-unready-time': '1h0m0s',
    'autoscaler.gardener.cloud/max-node-provision-time': '1m30s',
  })
  expect(spec).not.toHaveProperty('replicas')
  expect(spec).toMatchObject({
    autoPreserveFailedMachineMax: 1,
    strategy: {
      type: 'InPlaceUpdate',
      inPlaceUpdate: { maxSurge: '15%', maxUnavailable: 0, orchestrationType: 'Manual' },
    },
    template: { metadata: { labels: { name, 'worker.gardener.cloud/name': 'worker' } } },
  })
  expect((spec as { template: { spec: object } }).template.spec).toEqual({
    class: { kind: 'MachineClass', name: `${name}-12345` },
    nodeTemplate: {
      metadata: { annotations: { on: 'nodes' }, labels: { 'topology.kubernetes.io/zone': 'z1' } },
      spec: { taints },
    },
    drainTimeout: '2h0m0s',
    healthTimeout: '10m0s',
    creationTimeout: '20m0s',
    machinePreserveTimeout: '72h0m0s',
    inPlaceUpdateTimeout: '30m0s',
    disableHealthTimeout: false,
    maxEvictRetries: 10,
    nodeConditions: 'ReadonlyFilesystem,KernelDeadlock',
  })
})

describe('a patch', () => {
  const patched = (desired: DesiredDeployment, replicas: number | undefined, present = made(desiredOf())) =>
    deploymentPatch(present as never, deploymentContent(desired, 'worker'), replicas)

  test('is undefined for an object without differences', () => {
    expect(patched(desiredOf(), 2)).toBeUndefined()
    expect(patched(desiredOf(), undefined)).toBeUndefined()
  })

  test('of replicas contains nothing else, and zero is absent', () => {
    expect(patched(desiredOf(), 3)).toEqual({ spec: { replicas: 3 } })
    expect(patched(desiredOf(), 0)).toEqual({ spec: { replicas: null } })
    expect(patched(desiredOf(), 0, made(desiredOf(), 0))).toBeUndefined()
  })

  test('of a class contains only the class', () => {
    expect(patched(desiredOf({}, { className: `${name}-54321` }), undefined)).toEqual({
      spec: { template: { spec: { class: { name: `${name}-54321` } } } },
    })
  })

  test('of another strategy removes the limits of the old one', () => {
    expect(patched(desiredOf({ updateStrategy: 'AutoInPlaceUpdate' }), undefined)?.spec).toMatchObject({
      strategy: { type: 'InPlaceUpdate', rollingUpdate: null },
    })
  })

  test('does not remove additions by others', () => {
    const found = made(desiredOf())
    const foreign = {
      ...found,
      metadata: {
        ...found.metadata,
        labels: { ...found.metadata.labels, foreign: 'one' },
        annotations: { foreign: 'one' },
      },
      spec: { ...Object(found.spec), paused: true },
    }
    expect(patched(desiredOf(), undefined, foreign)).toBeUndefined()
  })
})
