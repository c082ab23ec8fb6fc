import { describe, expect, test } from 'vitest'
import { newSeed } from './testing/seed.ts'

const a = 'shoot--p--x-a-z1'
const b = 'shoot--p--x-b-z1'
const writesOf = (requests: readonly string[]) => requests.filter(call => !/^(get|list) /.test(call))
const deploymentResource = {
  group: 'machine.sapcloud.io',
  version: 'v1alpha1',
  plural: 'machinedeployments',
  namespaced: true,
}
const scaled = [{ minimum: 1, maximum: 5 }]

describe('replicas', () => {
  test('belong to the autoscaler between minimum and maximum', async () => {
    const seed = await newSeed({ pools: scaled })
    await seed.converge()
    await seed.change('MachineDeployment', a, { spec: { replicas: 3 } })
    await seed.reconcile()
    await seed.converge()
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(3)
    await seed.reconcile([{ minimum: 4, maximum: 5 }])
    await seed.converge()
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(4)
    await seed.reconcile([{ minimum: 1, maximum: 2 }])
    await seed.converge()
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(2)
  })

  test('replicas that the autoscaler writes meanwhile are not overwritten', async () => {
    const seed = await newSeed({ pools: scaled })
    await seed.converge()
    await seed.change('MachineDeployment', a, { spec: { replicas: 2 } })
    await seed.reconcile([{ minimum: 3, maximum: 5 }])
    let scaledUp = false
    seed.interfereWith({
      before: async ({ verb, resource }) => {
        if (verb !== 'patch' || resource !== 'machinedeployments' || scaledUp) return
        scaledUp = true
        await seed.change('MachineDeployment', a, { spec: { replicas: 5 } })
      },
    })
    await seed.step()
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(5)
  })
})

describe('fields of other writers', () => {
  test('stay on deployments, classes and Secrets where others own them', async () => {
    const seed = await newSeed({
      pools: [{ clusterAutoscaler: { scaleDownUnneededTime: '15m' }, annotations: { on: 'nodes' } }],
    })
    await seed.converge()
    const foreign = { metadata: { labels: { foreign: 'one' }, annotations: { foreign: 'one' } } }
    const [found] = await seed.machineObjects('MachineClass')
    const className = found?.metadata.name ?? ''
    await seed.change('MachineDeployment', a, { ...foreign, spec: { template: foreign } })
    await seed.change('MachineClass', className, { ...foreign, providerSpec: { foreign: 'one' } })
    await seed.reconcile([{}])
    await seed.converge()
    const { metadata, spec } = await seed.deploymentOf(a)
    expect(metadata.labels).toEqual({ 'worker.gardener.cloud/pool': 'a', foreign: 'one' })
    expect(metadata.annotations).toEqual({ foreign: 'one' })
    expect(spec?.template.metadata).toEqual({ labels: { name: a }, annotations: { foreign: 'one' } })
    const [machineClass] = await seed.machineObjects('MachineClass')
    expect(machineClass?.metadata.labels).toEqual({ 'example.com/zone': 'z1' })
    expect(machineClass?.metadata.annotations).toEqual({ foreign: 'one' })
    expect(machineClass?.providerSpec).not.toHaveProperty('foreign')
  })

  test('are removed from the user data of a class', async () => {
    const seed = await newSeed()
    await seed.converge()
    const [before] = await seed.classSecrets()
    const key = { name: before?.metadata.name ?? '', namespace: 'shoot--p--x' }
    const resource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
    await seed.kubernetes.patch(resource, key, {
      metadata: { annotations: { foreign: 'one' }, labels: { foreign: 'one' } },
      data: { userData: btoa('old'), foreign: btoa('one') },
    })
    await seed.reconcile()
    await seed.converge()
    const [after] = await seed.classSecrets()
    expect(after).toMatchObject({
      metadata: { labels: { 'gardener.cloud/purpose': 'machineclass' }, annotations: { foreign: 'one' } },
    })
    expect(after?.data).toEqual({ userData: btoa('#!/bin/bash') })
  })
})

describe('waiting for machines', () => {
  test('fails after five minutes and starts again', async () => {
    const seed = await newSeed()
    const begin = seed.clock.now()
    for (let state: unknown = 'Processing'; state === 'Processing'; ) {
      await seed.step()
      state = (await seed.live()).status?.lastOperation?.state
      if (state === 'Processing') await seed.clock.advance(10_000)
    }
    expect(seed.clock.now() - begin).toBe(300_000)
    expect((await seed.live()).status?.lastError?.description).toBe(
      'Error reconciling Worker: failed while waiting for all machine deployments to be ready: retry failed with context deadline exceeded, last error: waiting for the machine-controller-manager to create the updated machine set for the machine deployment (shoot--p--x/shoot--p--x-a-z1)',
    )
    await seed.controller.run()
    await seed.converge()
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  })

  test('reads only deployments, classes and sets', async () => {
    const seed = await newSeed()
    await seed.step()
    seed.requests.length = 0
    await seed.clock.advance(10_000)
    await seed.step()
    expect(seed.requests.filter(call => /^(get|list) /.test(call))).toEqual([
      'get workers',
      'get clusters',
      'get secrets',
      'list machinedeployments',
      'list machineclasses',
      'list machinesets',
    ])
    const patches = writesOf(seed.requests)
    expect(new Set(patches)).toEqual(new Set(['patch workers', 'patch workers/status']))
  })

  test('does not change the time of the deployments, but a new reconcile does', async () => {
    const seed = await newSeed()
    await seed.step()
    const time = async () => (await seed.live()).status?.machineDeploymentsLastUpdateTime
    const first = await time()
    await seed.clock.advance(10_000)
    await seed.step()
    expect(await time()).toBe(first)
    await seed.reconcile()
    await seed.step()
    expect(await time()).not.toBe(first)
  })

  test('recreates a deleted deployment', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.kubernetes.delete(deploymentResource, { name: a, namespace: 'shoot--p--x' })
    await seed.converge()
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(1)
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  })

  test('recreates a deployment in deletion once it is gone', async () => {
    const seed = await newSeed()
    await seed.converge()
    const before = (await seed.deploymentOf(a)).metadata.uid
    await seed.kubernetes.delete(deploymentResource, { name: a, namespace: 'shoot--p--x' })
    await seed.reconcile()
    await seed.step()
    expect((await seed.live()).status?.lastOperation?.state).toBe('Processing')
    await seed.converge()
    expect((await seed.deploymentOf(a)).metadata.uid).not.toBe(before)
  })

  test('ends at once if machines fail, with the codes of their texts', async () => {
    const seed = await newSeed()
    await seed.step()
    const failedMachines = [
      { name: 'm1', lastOperation: { description: 'there are no boxes left' } },
      { name: 'm0', lastOperation: { description: 'there are no boxes left' } },
    ]
    await seed.change('MachineDeployment', a, { status: { failedMachines } }, 'status')
    await seed.clock.advance(10_000)
    await seed.step()
    expect((await seed.live()).status?.lastError).toMatchObject({
      codes: ['ERR_INFRA_RESOURCES_DEPLETED'],
      description:
        'Error reconciling Worker: failed while waiting for all machine deployments to be ready: machine(s) failed: 1 error occurred: ["m0", "m1": there are no boxes left]',
    })
  })

  test('restarts a stuck machine controller before it fails', async () => {
    const seed = await newSeed()
    await seed.makePod('mcm-0')
    await seed.step()
    await seed.change('MachineDeployment', a, {
      metadata: { finalizers: ['machine.sapcloud.io/machine-controller-manager'] },
    })
    for (let count = 0; count < 30; count++) {
      expect(await seed.pods()).toEqual(['mcm-0'])
      await seed.clock.advance(10_000)
      await seed.step()
    }
    expect((await seed.live()).status?.lastOperation?.state).toBe('Error')
    expect(await seed.pods()).toEqual([])
  })

  test('does not restart a machine controller that has never observed the deployment', async () => {
    const seed = await newSeed()
    await seed.makePod('mcm-0')
    await seed.step()
    await seed.clock.advance(300_000)
    await seed.step()
    expect((await seed.live()).status?.lastOperation?.state).toBe('Error')
    expect(await seed.pods()).toEqual(['mcm-0'])
  })
})

describe('a removed pool', () => {
  test('is deleted with its deployments, classes and Secrets, and the step waits for it', async () => {
    const seed = await newSeed({ pools: [{}, {}] })
    await seed.converge()
    await seed.reconcile([{}])
    await seed.step()
    await seed.controller.run()
    const waits = await seed.converge()
    expect(waits).toEqual([])
    expect((await seed.machineObjects('MachineDeployment')).map(({ metadata }) => metadata.name)).toEqual([a])
    expect(await seed.machineObjects('MachineClass')).toHaveLength(1)
    expect(await seed.classSecrets()).toHaveLength(1)
    const { status } = await seed.live()
    expect(status?.machineDeployments).toEqual([{ name: a, minimum: 1, maximum: 2 }])
    expect(status?.lastOperation?.state).toBe('Succeeded')
  })

  test('is named in the error after a wait of five minutes', async () => {
    const seed = await newSeed({ pools: [{}, {}] })
    await seed.converge()
    await seed.reconcile([{}])
    const waits: string[] = []
    for (let count = 0; count < 32; count++) {
      await seed.step()
      waits.push(String((await seed.live()).status?.lastOperation?.description))
      await seed.clock.advance(10_000)
    }
    expect(waits[0]).toBe(`at least one unwanted machine deployment (${b}) still exists`)
    expect(waits[30]).toBe(
      `Error reconciling Worker: error while waiting for all undesired machine deployments to be deleted: retry failed with context deadline exceeded, last error: at least one unwanted machine deployment (${b}) still exists`,
    )
  })

  test('causes no wait if no machine controller runs', async () => {
    const seed = await newSeed({ pools: [{}, {}], controllerReplicas: 0 })
    await seed.converge()
    await seed.reconcile([{}])
    await seed.step()
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  })
})

describe('hibernation', () => {
  const hibernate = { spec: { hibernation: { enabled: true } } }

  test('marks machines, waits until they are gone, and scales the machine controller down', async () => {
    const seed = await newSeed({ pools: [{ minimum: 2, maximum: 3 }] })
    await seed.converge()
    await seed.changeShoot(hibernate)
    await seed.reconcile()
    await seed.step()
    expect((await seed.deploymentOf(a)).spec?.replicas ?? 0).toBe(0)
    expect(
      (await seed.machineObjects('Machine')).map(({ metadata }) => metadata.labels?.['force-deletion']),
    ).toEqual(['True', 'True'])
    expect((await seed.live()).status?.lastOperation?.description).toBe(
      'Waiting until all machines have been hibernated (2 still awake)...',
    )
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
    await seed.controller.run()
    await seed.converge()
    expect(await seed.machineObjects('Machine')).toEqual([])
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 0 })
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')

    await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
    await seed.reconcile()
    await seed.converge()
    expect((await seed.deploymentOf(a)).spec?.replicas).toBe(2)
  })

  test('that ends while its last step works leaves the machine controller running', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.changeShoot(hibernate)
    await seed.reconcile()
    seed.interfereWith({
      before: async ({ verb, resource, name }) => {
        if (verb === 'get' && resource === 'deployments' && name === 'machine-controller-manager')
          await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
      },
    })
    await seed.converge()
    expect(await seed.machineObjects('Machine')).toEqual([])
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
  })

  test('takes effect during a wait for machines', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.changeShoot(hibernate)
    await seed.converge()
    expect((await seed.deploymentOf(a)).spec?.replicas ?? 0).toBe(0)
    expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  })
})

test('the status of a Worker without pools has no deployments, but their write time', async () => {
  const seed = await newSeed({ pools: [] })
  await seed.converge()
  const { status } = await seed.live()
  expect(status?.lastOperation?.state).toBe('Succeeded')
  expect(status).not.toHaveProperty('machineDeployments')
  expect(status).not.toHaveProperty('machineDeploymentsLastUpdateTime')
})

test('a manual in-place update is reported once all machines have it', async () => {
  const byHand = { updateStrategy: 'ManualInPlaceUpdate' as const }
  const seed = await newSeed({ pools: [byHand] })
  await seed.converge()
  const hashOf = async () => (await seed.live()).status?.inPlaceUpdates?.workerPoolToHashMap?.a
  const before = await hashOf()
  expect(before).toMatch(/^[0-9a-f]{16}$/)
  await seed.reconcile([{ ...byHand, kubernetesVersion: '1.34.1' }])
  await seed.step()
  const className = (await seed.deploymentOf(a)).spec?.template.spec?.class?.name ?? ''
  await seed.make('MachineSet', `${a}-new`, {
    metadata: { labels: { name: a } },
    spec: { template: { spec: { class: { kind: 'MachineClass', name: className } } } },
  })
  const [set] = await seed.machineObjects('MachineSet')
  await seed.change('MachineSet', set?.metadata.name ?? '', { status: { replicas: 1 } }, 'status')
  const { metadata } = await seed.deploymentOf(a)
  await seed.change(
    'MachineDeployment',
    a,
    { status: { observedGeneration: metadata.generation, updatedReplicas: 0 } },
    'status',
  )
  await seed.converge({ controls: false })
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  expect(await hashOf()).toBe(before)
})

test('in-place updates are reported once complete, and obsolete ones are removed', async () => {
  const inPlace = { updateStrategy: 'AutoInPlaceUpdate' as const }
  const seed = await newSeed({ pools: [inPlace, inPlace] })
  await seed.converge()
  const hashes = async () => (await seed.live()).status?.inPlaceUpdates
  expect(Object.keys((await hashes())?.workerPoolToHashMap ?? {})).toEqual(['a', 'b'])
  await seed.reconcile([inPlace, {}])
  await seed.converge()
  expect(Object.keys((await hashes())?.workerPoolToHashMap ?? {})).toEqual(['a'])
  await seed.reconcile([{}, {}])
  await seed.converge()
  expect(await hashes()).toEqual({})
})
