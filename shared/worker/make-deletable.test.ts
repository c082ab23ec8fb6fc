import { expect, test } from 'vitest'
import { requestText } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { clusterKind } from '../contract/kinds.ts'
import type { Cluster } from '../contract/objects.ts'
import { planWorker } from './actions/plan-worker.ts'
import { newSeed, type WorkerSeed } from './testing/seed.ts'
import { tinyProvider } from './testing/tiny-provider.ts'

/** A machine controller that refuses classes with a glass lid, even to delete their machines. */
const provider: typeof tinyProvider = {
  ...tinyProvider,
  deletable: ({ lid, ...rest }) => (lid === 'glass' ? rest : undefined),
}

const a = 'shoot--p--x-a-z1'
const glass = { providerSpec: { lid: 'glass' } }

const classOf = async (seed: WorkerSeed, name: string) =>
  (await seed.machineObjects('MachineClass')).find(({ metadata }) => metadata.name === name)

/** Creates a Worker with machines of a class that the machine controller refuses from then on. */
const withRefusedClass = async () => {
  const seed = await newSeed({ pools: [{}, {}], provider })
  await seed.converge()
  const name = (await seed.deploymentOf(a)).spec?.template.spec?.class?.name ?? ''
  await seed.change('MachineClass', name, glass)
  return { seed, name }
}

test('a class that a pool no longer uses is changed so that its machines can be deleted', async () => {
  const { seed, name } = await withRefusedClass()
  await seed.reconcile([{ nodeAgentSecretName: 'another' }, {}])
  await seed.step()
  expect((await classOf(seed, name))?.providerSpec).not.toHaveProperty('lid')
  await seed.converge()
  expect(await classOf(seed, name)).toBeUndefined()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})

test('the class of a removed pool is changed once its deployment is being deleted', async () => {
  const { seed, name } = await withRefusedClass()
  const { spec } = await seed.live()
  await seed.reconcile()
  await seed.kubernetes.patch(
    { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'workers', namespaced: true },
    { name: 'worker', namespace: 'shoot--p--x' },
    { spec: { pools: spec.pools.slice(1) } },
  )
  await seed.change('MachineClass', name, glass)
  await seed.step()
  expect((await classOf(seed, name))?.providerSpec).toMatchObject({ lid: 'glass' })
  expect((await seed.deploymentOf(a)).metadata.deletionTimestamp).toBeDefined()
  await seed.reconcile()
  await seed.step()
  expect((await classOf(seed, name))?.providerSpec).not.toHaveProperty('lid')
})

test('the class of a pool with a problem is not changed, because its deployment creates machines of it', async () => {
  const { seed, name } = await withRefusedClass()
  await seed.reconcile([{ machineType: 'unknown' }, {}])
  await seed.step()
  expect((await classOf(seed, name))?.providerSpec).toMatchObject({ lid: 'glass' })
})

test('the deletion of a Worker changes the classes of pools with a problem so that their machines can be deleted', async () => {
  const { seed, name } = await withRefusedClass()
  await seed.reconcile([{ machineType: 'unknown' }, {}])
  await seed.step()
  await seed.remove()
  await seed.step()
  expect((await classOf(seed, name))?.providerSpec).not.toHaveProperty('lid')
  await seed.converge()
  expect(await seed.isGone()).toBe(true)
})

test('a class that was replaced meanwhile is not changed', async () => {
  const { seed, name } = await withRefusedClass()
  let isReplaced = false
  seed.interfereWith({
    before: async request => {
      if (requestText(request) !== `patch machineclasses ${name}` || isReplaced) return
      isReplaced = true
      await seed.change('MachineClass', name, { metadata: { finalizers: null } })
      await seed.kubernetes.delete(
        { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machineclasses', namespaced: true },
        { name, namespace: 'shoot--p--x' },
      )
      await seed.make('MachineClass', name, glass)
    },
  })
  await seed.reconcile([{ nodeAgentSecretName: 'another' }, {}])
  await seed.step()
  expect(isReplaced).toBe(true)
  expect((await classOf(seed, name))?.providerSpec).toEqual(glass.providerSpec)
})

test('a plan lists the classes that are changed so that their machines can be deleted', async () => {
  const { seed, name } = await withRefusedClass()
  await seed.reconcile([{ nodeAgentSecretName: 'another' }, {}])
  const { get, list } = seed.kubernetes
  const { actions } = await planWorker(provider, {
    object: await seed.live(),
    cluster: (await get(clusterKind.resource, { name: 'shoot--p--x' })) as Cluster,
    secret: { data: {} } as never,
    kubernetes: { get, list },
    clock: seed.clock,
    signal: new AbortController().signal,
  })
  expect(actions.map(({ sentence }) => sentence)).toContain(
    `change machine class ${name} to make its machines deletable`,
  )
})
