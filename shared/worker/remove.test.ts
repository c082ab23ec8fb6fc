import { describe, expect, test } from 'vitest'
import { machineKinds } from '../contract/machine-kinds.ts'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import { secrets } from './core-resources.ts'
import { configurationProblem } from './problems.ts'
import { newSeed, type WorkerSeed } from './testing/seed.ts'
import { tinyProvider } from './testing/tiny-provider.ts'

const deleting = 'Error deleting Worker: '
const expired = 'retry failed with context deadline exceeded, last error: '
const writesOf = (requests: readonly string[]) => requests.filter(call => !/^(get|list) /.test(call))
const description = async (seed: WorkerSeed) => (await seed.live()).status?.lastOperation?.description

/** Steps without a machine controller until one ends with an error. */
const untilError = async (seed: WorkerSeed): Promise<string | undefined> => {
  for (let count = 0; count < 40; count++) {
    await seed.step()
    const { status } = await seed.live()
    if (status?.lastOperation?.state === 'Error') return status.lastError?.description
    await seed.clock.advance(10_000)
  }
  throw new Error('no error in 40 steps')
}

test('marks the machines, then deletes deployments, classes and Secrets', async () => {
  const seed = await newSeed()
  await seed.settle()
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

test('writes the classes that machines need once more, with the user data of now', async () => {
  const seed = await newSeed()
  await seed.settle()
  const [found] = await seed.machineObjects('MachineClass')
  await seed.change('MachineClass', found?.metadata.name ?? '', { providerSpec: { size: 'changed' } })
  await seed.remove()
  seed.requests.length = 0
  await seed.step()
  expect(writesOf(seed.requests)).toContain('patch machineclasses')
})

test('waits for nobody where there is nothing', async () => {
  const seed = await newSeed({ pools: [{ machineType: 'unknown' }] })
  await seed.step()
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
})

test('needs a machine controller for classes that it holds, and no pool that can be made', async () => {
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

test('needs no machine controller for classes that none has taken up', async () => {
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
  test('has to have taken up the credentials first', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.remove()
    expect(await untilError(seed)).toBe(
      `${deleting}failed while waiting for the machine class credentials secret to be acquired: ${expired}machine class credentials secret has not yet been acquired or released`,
    )
    expect(await seed.machineObjects('MachineDeployment')).toHaveLength(1)
    await seed.controller.run()
    await seed.settle()
    expect(await seed.isGone()).toBe(true)
  })

  test('has to let everything go within five minutes', async () => {
    const seed = await newSeed()
    await seed.settle()
    await seed.remove()
    expect(await untilError(seed)).toBe(
      `${deleting}failed while waiting for all machine resources to be deleted: ${expired}waiting until the following machine resources have been deleted: 1 machines, 1 machine sets, 1 machine deployments, 1 machine classes`,
    )
  })

  test('has to let the credentials go at the end', async () => {
    const seed = await newSeed()
    await seed.settle()
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

  test('that reports a failed machine ends the attempt, with its codes', async () => {
    const seed = await newSeed()
    await seed.settle()
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

describe('a pool that cannot be made any more', () => {
  const unmakable = async () => {
    const seed = await newSeed()
    await seed.settle()
    await seed.reconcile([{ machineType: 'unknown' }])
    await seed.remove()
    return seed
  }

  test('does not keep the machines that it has from being deleted', async () => {
    const seed = await unmakable()
    await seed.settle()
    expect(await seed.isGone()).toBe(true)
    expect(await seed.machineObjects('Machine')).toEqual([])
    expect(await seed.machineObjects('MachineClass')).toEqual([])
  })

  test.each(['MachineClass', 'Secret'] as const)(
    'says so before anything is deleted where a machine has no %s',
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

  test('is no hindrance either when it is what all pools share', async () => {
    let isBroken = false
    const seed = await newSeed({
      provider: {
        desired: input => {
          if (isBroken) throw configurationProblem('no status of the infrastructure')
          return tinyProvider.desired(input)
        },
      },
    })
    await seed.settle()
    isBroken = true
    await seed.remove()
    await seed.settle()
    expect(await seed.isGone()).toBe(true)
  })
})

test('machines and sets that a restore left without an owner go too', async () => {
  const seed = await newSeed()
  await seed.settle()
  await seed.make('MachineSet', 'left', { spec: {} })
  await seed.make('Machine', 'left', { spec: {} })
  await seed.remove()
  await seed.settle()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.machineObjects('Machine')).toEqual([])
})

test('a machine that is gone by the time it is marked is not made again', async () => {
  const seed = await newSeed({ pools: [{ minimum: 2, maximum: 2 }] })
  await seed.settle()
  await seed.remove()
  const [first] = await seed.machineObjects('Machine')
  const name = first?.metadata.name ?? ''
  seed.interfereWith({
    before: async call => {
      if (call !== 'patch machines') return
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
  await seed.settle()
  expect(await seed.isGone()).toBe(true)
})

test('another machine of the name that was marked is not marked', async () => {
  const seed = await newSeed()
  await seed.settle()
  await seed.remove()
  const [first] = await seed.machineObjects('Machine')
  const name = first?.metadata.name ?? ''
  let other: unknown
  seed.interfereWith({
    before: async call => {
      if (call !== 'patch machines') return
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

test('a forced deletion leaves everything where it is', async () => {
  const seed = await newSeed()
  await seed.settle()
  await seed.changeShoot({
    metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
  })
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
  expect(await seed.machineObjects('MachineDeployment')).toHaveLength(1)
  expect(await seed.machineObjects('Machine')).toHaveLength(1)
})

test('a deletion without remaining deployments looks again soon, because no event reports the end of the rest', async () => {
  const seed = await newSeed()
  await seed.settle()
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

test('a conflict at the mark of a machine that is still there is retried', async () => {
  const seed = await newSeed()
  await seed.settle()
  await seed.remove()
  let conflicts = 2
  seed.interfereWith({
    before: call => {
      if (call === 'patch machines' && conflicts-- > 0)
        throw new KubernetesError(409, 'Conflict', 'the object has been modified')
    },
  })
  await seed.step()
  const [machine] = await seed.machineObjects('Machine')
  expect(machine?.metadata.labels?.['force-deletion']).toBe('True')
})
