import { describe, expect, test } from 'vitest'
import { machineKinds } from '../contract/machine-kinds.ts'
import { secrets } from '../kubernetes/core-resources.ts'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import { newSeed, type WorkerSeed } from './testing/seed.ts'
import { configurationProblem, tinyProvider } from './testing/tiny-provider.ts'

const deleting = 'Error deleting Worker: '
const expired = 'retry failed with context deadline exceeded, last error: '
const writesOf = (requests: readonly string[]) => requests.filter(call => !/^(get|list) /.test(call))
const description = async (seed: WorkerSeed) => (await seed.live()).status?.lastOperation?.description

/** Runs steps without a machine controller until one ends with an error. */
const untilError = async (seed: WorkerSeed): Promise<string | undefined> => {
  for (let count = 0; count < 40; count++) {
    await seed.step()
    const { status } = await seed.live()
    if (status?.lastOperation?.state === 'Error') return status.lastError?.description
    await seed.clock.advance(10_000)
  }
  throw new Error('no error in 40 steps')
}

test('a deletion marks the machines, then deletes deployments, classes and Secrets', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.remove()
  seed.requests.length = 0
  await seed.step()
  expect(writesOf(seed.requests)).toEqual([
    'patch workers',
    'patch workers/status',
    'patch machines',
    'delete machinedeployments',
    'delete machineclasses',
    'delete secrets',
    'patch workers/status',
    'patch workers',
  ])
  expect(await description(seed)).toBe(
    'waiting until the following machine resources have been deleted: 1 machines, 1 machine sets, 1 machine deployments, 1 machine classes',
  )
  const [machine] = await seed.machineObjects('Machine')
  expect(machine?.metadata.labels?.['force-deletion']).toBe('True')
})

test('a deletion rewrites the classes of machines with the current user data', async () => {
  const seed = await newSeed()
  await seed.converge()
  const [found] = await seed.machineObjects('MachineClass')
  await seed.change('MachineClass', found?.metadata.name ?? '', { providerSpec: { size: 'changed' } })
  await seed.remove()
  seed.requests.length = 0
  await seed.step()
  expect(writesOf(seed.requests)).toContain('patch machineclasses')
})

test('a deletion without objects does not wait', async () => {
  const seed = await newSeed({ pools: [{ machineType: 'unknown' }] })
  await seed.step()
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
})

test('a deletion needs a machine controller for classes with its finalizer, even if no pool is valid', async () => {
  const seed = await newSeed({ pools: [{ machineType: 'unknown' }] })
  await seed.step()
  const finalizers = ['machine.sapcloud.io/machine-controller-manager']
  await seed.make('MachineClass', 'held', { metadata: { finalizers }, providerSpec: {} })
  await seed.remove()
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.description).toBe(
    'machine class credentials secret has not yet been acquired or released',
  )
  const [held] = await seed.machineObjects('MachineClass')
  expect(held?.metadata.deletionTimestamp).toBeUndefined()
})

test('a deletion needs no machine controller for classes without its finalizer', async () => {
  const seed = await newSeed({ pools: [{}] })
  await seed.step()
  await seed.kubernetes.delete(
    { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machinedeployments', namespaced: true },
    { name: 'shoot--p--x-a-z1', namespace: 'shoot--p--x' },
  )
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.machineObjects('MachineClass')).toEqual([])
  expect(await seed.classSecrets()).toEqual([])
})

describe('the machine controller', () => {
  test('must first acquire the credentials', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.remove()
    expect(await untilError(seed)).toBe(
      `${deleting}failed while waiting for the machine class credentials secret to be acquired: ${expired}machine class credentials secret has not yet been acquired or released`,
    )
    expect(await seed.machineObjects('MachineDeployment')).toHaveLength(1)
    await seed.controller.run()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })

  test('is scaled up if a hibernation has scaled it down', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
    await seed.reconcile()
    await seed.converge()
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 0 })
    await seed.remove()
    await seed.step()
    expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })

  test('must remove its finalizers within five minutes', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.remove()
    expect(await untilError(seed)).toBe(
      `${deleting}failed while waiting for all machine resources to be deleted: ${expired}waiting until the following machine resources have been deleted: 1 machines, 1 machine sets, 1 machine deployments, 1 machine classes`,
    )
  })

  test('must release the credentials at the end', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.remove()
    await seed.step()
    await seed.controller.run()
    await seed.kubernetes.patch(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      { name: 'cloudprovider', namespace: 'shoot--p--x' },
      { metadata: { finalizers: ['machine.sapcloud.io/machine-controller'] } },
    )
    await seed.clock.advance(10_000)
    expect(await untilError(seed)).toBe(
      `${deleting}failed while waiting for the machine class credentials secret to be released: ${expired}machine class credentials secret has not yet been acquired or released`,
    )
  })

  test('ends the attempt with the codes of a failed machine that it reports', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.remove()
    await seed.step()
    const failedMachines = [{ name: 'm0', lastOperation: { description: 'there are no boxes left' } }]
    await seed.change('MachineDeployment', 'shoot--p--x-a-z1', { status: { failedMachines } }, 'status')
    await seed.clock.advance(10_000)
    await seed.step()
    expect((await seed.live()).status?.lastError).toMatchObject({
      codes: ['ERR_INFRA_RESOURCES_DEPLETED'],
      description: `${deleting}failed while waiting for all machine resources to be deleted: machine m0 failed: there are no boxes left`,
    })
  })
})

describe('an invalid pool', () => {
  const unmakable = async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.reconcile([{ machineType: 'unknown' }])
    await seed.remove()
    return seed
  }

  test('does not block the deletion of its machines', async () => {
    const seed = await unmakable()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
    expect(await seed.machineObjects('Machine')).toEqual([])
    expect(await seed.machineObjects('MachineClass')).toEqual([])
  })

  test.each(['MachineClass', 'Secret'] as const)(
    'is reported before any deletion if a machine has no %s',
    async missing => {
      const seed = await unmakable()
      const [name = ''] = (await seed.machineObjects('MachineClass')).map(({ metadata }) => metadata.name)
      const { resource } = missing === 'Secret' ? { resource: secrets } : machineKinds.MachineClass
      const key = { name, namespace: 'shoot--p--x' }
      await seed.kubernetes.patch(resource, key, { metadata: { finalizers: null } })
      await seed.kubernetes.delete(resource, key)
      await seed.step()
      expect((await seed.live()).status?.lastError?.description).toBe(
        `${deleting}failed to deploy the machine classes: machine type "unknown" not found`,
      )
      expect(await seed.machineObjects('MachineDeployment')).toHaveLength(1)
    },
  )

  test('does not block the deletion even if all pools are invalid', async () => {
    let isBroken = false
    const seed = await newSeed({
      provider: {
        desired: input => {
          if (isBroken) throw configurationProblem('no status of the infrastructure')
          return tinyProvider.desired(input)
        },
      },
    })
    await seed.converge()
    isBroken = true
    await seed.remove()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })
})

test('machines and sets left by a restore without an owner are deleted', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.make('MachineSet', 'left', { spec: {} })
  await seed.make('Machine', 'left', { spec: {} })
  await seed.remove()
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.machineObjects('Machine')).toEqual([])
})

test('a machine that disappears before it is marked is not recreated', async () => {
  const seed = await newSeed({ pools: [{ minimum: 2, maximum: 2 }] })
  await seed.converge()
  await seed.remove()
  const [first] = await seed.machineObjects('Machine')
  const name = first?.metadata.name ?? ''
  seed.interfereWith({
    before: async ({ verb, resource }) => {
      if (verb !== 'patch' || resource !== 'machines') return
      seed.interfereWith({})
      await seed.change('Machine', name, { metadata: { finalizers: null } })
      await seed.kubernetes.delete(
        { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machines', namespaced: true },
        { name, namespace: 'shoot--p--x' },
      )
    },
  })
  await seed.step()
  expect((await seed.machineObjects('Machine')).map(({ metadata }) => metadata.name)).not.toContain(name)
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
})

test('a new machine with the same name is not marked', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.remove()
  const [first] = await seed.machineObjects('Machine')
  const name = first?.metadata.name ?? ''
  let other: unknown
  seed.interfereWith({
    before: async ({ verb, resource }) => {
      if (verb !== 'patch' || resource !== 'machines') return
      seed.interfereWith({})
      await seed.change('Machine', name, { metadata: { finalizers: null } })
      await seed.kubernetes.delete(
        { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machines', namespaced: true },
        { name, namespace: 'shoot--p--x' },
      )
      other = (await seed.make('Machine', name, { spec: {} })).metadata.uid
    },
  })
  await seed.step()
  const [left] = (await seed.machineObjects('Machine')).filter(({ metadata }) => metadata.uid === other)
  expect(left?.metadata).not.toHaveProperty('labels')
  expect((await seed.live()).status?.lastOperation?.state).toBe('Processing')
})

test('a forced deletion changes nothing', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.changeShoot({
    metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
  })
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.machineObjects('MachineDeployment')).toHaveLength(1)
  expect(await seed.machineObjects('Machine')).toHaveLength(1)
})

test('a deletion without remaining deployments is requeued soon, because no event reports the end of the rest', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.remove()
  await seed.step()
  const afterMs = async () => {
    const annotation = (await seed.live()).metadata.annotations?.['trellis.gardener.cloud/step'] ?? '{}'
    return (JSON.parse(annotation) as { readonly durationMs?: number }).durationMs
  }
  expect(await afterMs()).toBe(10_000)
  const classes = await seed.machineObjects('MachineClass')
  for (const kind of ['Machine', 'MachineSet', 'MachineDeployment'] as const)
    for (const { metadata } of await seed.machineObjects(kind)) {
      const key = { name: metadata.name, namespace: 'shoot--p--x' }
      await seed.kubernetes.delete(machineKinds[kind].resource, key)
      await seed.change(kind, metadata.name, { metadata: { finalizers: null } }).catch(() => {})
    }
  await seed.clock.advance(10_000)
  await seed.step()
  expect(await afterMs()).toBe(500)
  for (const { metadata } of classes)
    await seed.change('MachineClass', metadata.name, { metadata: { finalizers: null } })
  await seed.clock.advance(500)
  await seed.step()
  expect(await description(seed)).toBe(
    'machine class credentials secret has not yet been acquired or released',
  )
  expect(await afterMs()).toBe(500)
})

test('a conflict while marking an existing machine is retried', async () => {
  const seed = await newSeed()
  await seed.converge()
  await seed.remove()
  let conflicts = 2
  seed.interfereWith({
    before: ({ verb, resource }) => {
      if (verb === 'patch' && resource === 'machines' && conflicts-- > 0)
        throw new KubernetesError(409, 'Conflict', 'the object has been modified')
    },
  })
  await seed.step()
  const [machine] = await seed.machineObjects('Machine')
  expect(machine?.metadata.labels?.['force-deletion']).toBe('True')
})
