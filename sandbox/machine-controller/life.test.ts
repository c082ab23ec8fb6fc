import { describe, expect, test } from 'vitest'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { controllers, deploymentName, minutes, namespace } from './testing/machine-world.ts'
import { openWorlds } from './testing/open-worlds.ts'
import { drained, forced, made } from './testing/steps.ts'

const open = openWorlds()

/** The calls of the machine-controller-manager for one machine. */
const callsOfCreation = [
  ...['DescribeInstances', 'DescribeImages', 'RunInstances', 'DescribeInstances', 'DescribeInstances'],
  ...['DescribeInstances', 'ModifyNetworkInterfaceAttribute', 'DescribeInstances'],
]

const statusOf = (status: object | undefined, type: string) =>
  (
    status as { conditions?: { type: string; status: string; reason: string }[] } | undefined
  )?.conditions?.find(condition => condition.type === type)

describe('a deployment', () => {
  test('a deployment becomes a set, a machine, an instance and a node, with eight calls', async () => {
    const world = await open()
    await world.deploy(1)
    await world.pass(1 * minutes)
    expect(world.steps()).toEqual([made])
    expect(world.calls()).toEqual(callsOfCreation)
    const [machine] = await world.machines()
    const [node] = world.nodes()
    expect(machine).toMatchObject({
      metadata: {
        name: expect.stringMatching(new RegExp(`^${deploymentName}-[0-9a-f]{5}-[a-z0-9]{5}$`)),
        labels: { name: deploymentName, node: node?.name, 'machine-template-hash': expect.any(String) },
        annotations: { 'machinepriority.machine.sapcloud.io': '3' },
        finalizers: ['machine.sapcloud.io/machine-controller-manager'],
      },
      spec: { providerID: expect.stringMatching(/^aws:\/\/\/eu-west-1\/i-[0-9a-f]{17}$/) },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    })
    expect(node).toMatchObject({ providerId: machine?.spec?.providerID, ready: 'True' })
    expect(await world.sets()).toMatchObject([
      {
        metadata: {
          annotations: {
            'deployment.kubernetes.io/revision': '1',
            'deployment.kubernetes.io/desired-replicas': '1',
            'deployment.kubernetes.io/max-replicas': '2',
          },
          finalizers: ['machine.sapcloud.io/machine-controller-manager'],
        },
      },
    ])
    const deployment = await world.deployment()
    expect(deployment?.status).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 })
    expect(statusOf(deployment?.status, 'Available')).toMatchObject({ status: 'True' })
    expect(statusOf(deployment?.status, 'Progressing')).toMatchObject({ reason: 'NewMachineSetAvailable' })
    expect(world.warnings).toEqual([])
  })

  test('a deployment is scaled up and down, and each machine has its steps', async () => {
    const world = await open()
    await world.deploy(1)
    await world.pass(1 * minutes)
    await world.patchDeployment({ spec: { replicas: 3 } })
    await world.pass(1 * minutes)
    expect(world.nodes()).toHaveLength(3)
    await world.patchDeployment({ spec: { replicas: 2 } })
    await world.pass(1 * minutes)
    expect(world.nodes()).toHaveLength(2)
    expect(world.steps()[0]).toEqual([...made, ...drained])
    expect(world.steps().slice(1)).toEqual([made, made])
    expect(world.calls().filter(action => action === 'TerminateInstances')).toHaveLength(1)
    expect((await world.deployment())?.status).toMatchObject({ replicas: 2, availableReplicas: 2 })
  })

  test('a deployment with another class is rolled, and never exceeds its surge', async () => {
    const world = await open()
    await world.deploy(2)
    await world.pass(1 * minutes)
    await world.newClass('next')
    await world.patchDeployment({ spec: { template: world.templateOf('next') } })
    let most = 0
    for (let count = 0; count < 60; count++) {
      await world.pass(5_000)
      const machines = await world.machines()
      const available = machines.filter(({ status }) => status?.currentStatus?.phase === 'Running')
      most = Math.max(most, machines.length)
      expect(available.length).toBeGreaterThanOrEqual(2)
    }
    expect(most).toBe(3)
    expect((await world.machines()).map(({ spec }) => spec?.class?.name)).toEqual(['next', 'next'])
    // The set of the old class is deleted.
    expect(await world.sets()).toMatchObject([
      { metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } } },
    ])
  })

  test('a deployment without surge is rolled without excess machines, even if all may be unavailable', async () => {
    const world = await open()
    await world.deploy(1, { strategy: { maxSurge: 0, maxUnavailable: 1 } })
    await world.pass(1 * minutes)
    await world.newClass('next')
    await world.patchDeployment({ spec: { template: world.templateOf('next') } })
    for (let count = 0; count < 120; count++) {
      await world.pass(1_000)
      expect((await world.machines()).length).toBeLessThanOrEqual(1)
    }
    expect((await world.machines()).map(({ spec }) => spec?.class?.name)).toEqual(['next'])
    await world.patchDeployment({ spec: { replicas: 0 } })
    await world.pass(1 * minutes)
    await world.patchDeployment({ spec: { replicas: 2 } })
    await world.pass(1 * minutes)
    expect(world.nodes()).toHaveLength(2)
  })

  test.each([
    ['Auto', ['next', 'next'], 0],
    ['Manual', ['next', `${deploymentName}-25e07`], 1],
  ])(
    'a deployment that is updated in place (%s) retains its machines',
    async (orchestrationType, wanted, left) => {
      const world = await open()
      await world.deploy(2)
      const inPlaceUpdate = { maxUnavailable: 1, maxSurge: 0, orchestrationType }
      await world.patchDeployment({
        spec: { strategy: { type: 'InPlaceUpdate', inPlaceUpdate, rollingUpdate: null } },
      })
      await world.pass(1 * minutes)
      const before = await world.machines()
      await world.newClass('next')
      await world.patchDeployment({ spec: { template: world.templateOf('next') } })
      await world.pass(1 * minutes)
      const [first] = before
      await world.label(first?.metadata.name ?? '', {
        'node.machine.sapcloud.io/selected-for-update': 'true',
      })
      await world.patchDeployment({ metadata: { annotations: { found: 'at' } } })
      await world.pass(1 * minutes)
      const after = await world.machines()
      expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid))
      expect(after.map(({ spec }) => spec?.class?.name).sort()).toEqual([...wanted].sort())
      expect((await world.deployment())?.status).toMatchObject({ replicas: 2, updatedReplicas: 2 - left })
      expect(world.calls().filter(action => action === 'RunInstances')).toHaveLength(2)
    },
  )

  test('a change of timeouts is applied to the machines without rolling them', async () => {
    const world = await open()
    await world.deploy(1)
    await world.pass(1 * minutes)
    const [before] = await world.machines()
    await world.patchDeployment({ spec: { template: { spec: { drainTimeout: '5m0s' } } } })
    await world.pass(1 * minutes)
    const [machine, ...others] = await world.machines()
    expect(others).toEqual([])
    expect(machine?.metadata.uid).toBe(before?.metadata.uid)
    expect(machine?.spec?.drainTimeout).toBe('5m0s')
  })

  test('a deployment without replicas has no machine, but its Secrets have a finalizer', async () => {
    const world = await open()
    await world.deploy(0)
    await world.pass(1 * minutes)
    expect(await world.machines()).toEqual([])
    expect((await world.secret('cloudprovider'))?.metadata.finalizers).toEqual([
      'machine.sapcloud.io/machine-controller',
    ])
    expect(world.calls()).toEqual([])
  })

  test('deleting a deployment deletes everything that it created', async () => {
    const world = await open()
    await world.deploy(2)
    await world.pass(1 * minutes)
    expect((await world.deployment())?.metadata.finalizers).toEqual([
      'machine.sapcloud.io/machine-controller-manager',
    ])
    await world.deleteDeployment()
    await world.pass(1 * minutes)
    expect(await world.deployment()).toBeUndefined()
    expect([await world.sets(), await world.machines(), world.nodes()]).toEqual([[], [], []])
    expect(world.calls().filter(action => action === 'TerminateInstances')).toHaveLength(2)
  })
})

test('machines with the force label are not drained', async () => {
  const world = await open()
  await world.deploy(1)
  await world.pass(1 * minutes)
  const [machine] = await world.machines()
  await world.label(machine?.metadata.name ?? '', { 'force-deletion': 'True' })
  await world.patchDeployment({ spec: { replicas: 0 } })
  await world.pass(1 * minutes)
  expect(world.steps()).toEqual([[...made, ...forced]])
})

test('a class and its Secrets are retained until the last machine is deleted', async () => {
  const world = await open()
  await world.deploy(1)
  await world.pass(1 * minutes)
  const name = `${deploymentName}-25e07`
  expect(await world.classes()).toMatchObject([
    { metadata: { finalizers: ['machine.sapcloud.io/machine-controller-manager'] } },
  ])
  await world.deleteDeployment()
  await world.deleteClass(name)
  await world.deleteSecret(name)
  await world.pass(10_000)
  expect(await world.classes()).toHaveLength(1)
  expect(await world.secret(name)).toBeDefined()
  await world.pass(1 * minutes)
  expect(await world.classes()).toEqual([])
  expect(await world.secret(name)).toBeUndefined()
  expect((await world.secret('cloudprovider'))?.metadata.finalizers ?? []).toEqual([])
})

test('the machine controller stops while it is scaled to zero, and then continues', async () => {
  const world = await open()
  const key = { name: 'machine-controller-manager', namespace }
  await world.kubernetes.create(controllers, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: key,
    spec: { replicas: 0, selector: { matchLabels: { app: 'mcm' } }, template: {} },
  })
  await world.pass(1_000)
  await world.deploy(1)
  await world.pass(5 * minutes)
  expect(await world.sets()).toEqual([])
  await world.kubernetes.patch(controllers, key, { spec: { replicas: 1 } })
  await world.pass(1 * minutes)
  expect(world.nodes()).toHaveLength(1)
})

describe('the Deployment of the machine controller', () => {
  const key = { name: 'machine-controller-manager', namespace }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: key,
    spec: { replicas: 1, selector: { matchLabels: { app: 'mcm' } }, template: {} },
  }

  test('deleting it stops the machine controller, so machine objects can be deleted without their machines', async () => {
    const world = await open()
    await world.kubernetes.create(controllers, deployment)
    await world.deploy(2)
    await world.pass(1 * minutes)
    const calls = world.calls().length
    await world.kubernetes.delete(controllers, key)
    await world.pass(1_000)
    // gardenlet also removes the finalizers, so the objects are deleted at once.
    for (const { metadata } of await world.machines()) {
      const at = { name: metadata.name, namespace }
      await world.kubernetes.patch(machineKinds.Machine.resource, at, { metadata: { finalizers: null } })
      await world.kubernetes.delete(machineKinds.Machine.resource, at)
    }
    await world.pass(40 * minutes)
    expect(await world.machines()).toEqual([])
    const writes = world.calls().slice(calls)
    expect(writes.filter(action => !action.startsWith('Describe'))).toEqual([])

    await world.kubernetes.create(controllers, deployment)
    await world.pass(1 * minutes)
    expect(await world.machines()).toHaveLength(2)
  })

  test('deleting it with its namespace does not stop the machine controller', async () => {
    const world = await open()
    await world.kubernetes.create(controllers, deployment)
    await world.deploy(1)
    await world.pass(1 * minutes)
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
    await world.kubernetes.delete(namespaces, { name: namespace })
    await world.pass(10 * minutes)
    expect(await world.machines()).toEqual([])
    expect(world.nodes()).toEqual([])
  })
})
