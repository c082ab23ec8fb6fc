import { expect, test } from 'vitest'
import { kinds } from '../contract/kinds.ts'
import { machineKinds } from '../contract/machine-kinds.ts'
import { newSeed } from './testing/seed.ts'
import { tinyProvider } from './testing/tiny-provider.ts'

/** Tests of changes between the steps of one reconcile. The next step must observe them. */

const namespace = 'shoot--p--x'
const a = 'shoot--p--x-a-z1'
const b = 'shoot--p--x-b-z1'
const hibernate = { spec: { hibernation: { enabled: true } } }
const classResource = machineKinds.MachineClass.resource
const names = (objects: readonly { readonly metadata: { readonly name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name)

/** Changes the spec of a Worker without requesting a reconcile. */
const workerResource = kinds.Worker.resource

/** A provider that reports a problem with the first pool after `fail` is called. */
const failingProvider = () => {
  let isBroken = false
  const provider: typeof tinyProvider = {
    ...tinyProvider,
    desired: ({ worker, ...input }) => {
      const [first, ...others] = worker.spec.pools
      const pools = isBroken && first ? [{ ...first, machineType: 'unknown' }, ...others] : worker.spec.pools
      return tinyProvider.desired({ worker: { ...worker, spec: { ...worker.spec, pools } }, ...input })
    },
  }
  return {
    provider,
    fail: () => {
      isBroken = true
    },
  }
}

test('a pool that is refused during a wait retains its machines, and nothing is deleted', async () => {
  const { provider, fail } = failingProvider()
  const seed = await newSeed({ pools: [{}, {}], provider })
  await seed.step()
  await seed.controller.run()
  fail()
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.live()).status?.lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  expect(names(await seed.machineObjects('MachineDeployment'))).toEqual([a, b])
  expect(names(await seed.machineObjects('Machine'))).toHaveLength(2)
})

test('a pool that is refused during a deletion is reported and retained', async () => {
  const { provider, fail } = failingProvider()
  const seed = await newSeed({ pools: [{}, {}], provider })
  await seed.converge()
  await seed.reconcile([{}])
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.description).toContain(`(${b}) still exists`)
  fail()
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.live()).status?.lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  expect(names(await seed.machineObjects('MachineDeployment'))).toContain(a)
})

test('a hibernation that begins during a deletion hibernates the other deployments first', async () => {
  const seed = await newSeed({ pools: [{}, {}] })
  await seed.converge()
  await seed.reconcile([{}])
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.description).toContain(`(${b}) still exists`)
  await seed.changeShoot(hibernate)
  await seed.controller.run()
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.deploymentOf(a)).spec?.replicas ?? 0).toBe(0)
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 1 })
  await seed.controller.run()
  await seed.converge()
  expect(await seed.machineObjects('Machine')).toEqual([])
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 0 })
})

test('another hash creates another class, and the former hash uses the existing class', async () => {
  const seed = await newSeed({ pools: [{ updateStrategy: 'AutoInPlaceUpdate' }] })
  await seed.step()
  const before = await seed.deploymentOf(a)
  const lastInitiationTime = '2026-01-02T03:04:05Z'
  await seed.changeShoot({
    status: { credentials: { rotation: { certificateAuthorities: { lastInitiationTime } } } },
  })
  await seed.clock.advance(10_000)
  await seed.step()
  const after = await seed.deploymentOf(a)
  const classOf = ({ spec }: typeof before) => spec?.template.spec?.class?.name
  expect(classOf(after)).not.toBe(classOf(before))
  await seed.changeShoot({ status: { credentials: null } })
  await seed.clock.advance(10_000)
  await seed.step()
  expect(classOf(await seed.deploymentOf(a))).toBe(classOf(before))
})

test('a deleted class is recreated', async () => {
  const seed = await newSeed()
  await seed.step()
  const [name = ''] = names(await seed.machineObjects('MachineClass'))
  await seed.kubernetes.delete(classResource, { name, namespace })
  await seed.clock.advance(10_000)
  await seed.step()
  expect(names(await seed.machineObjects('MachineClass'))).toEqual([name])
})

test('a pool that returns while its class is being deleted gets its machines once the class is recreated', async () => {
  const seed = await newSeed()
  await seed.converge()
  const [before] = await seed.machineObjects('MachineClass')
  const name = before?.metadata.name ?? ''
  await seed.change('MachineDeployment', a, { metadata: { finalizers: null } })
  await seed.kubernetes.delete(machineKinds.MachineDeployment.resource, { name: a, namespace })
  await seed.kubernetes.delete(classResource, { name, namespace })
  await seed.reconcile()
  await seed.step()
  expect(await seed.machineObjects('MachineDeployment')).toEqual([])
  await seed.converge()
  const [after] = await seed.machineObjects('MachineClass')
  expect(after?.metadata.name).toBe(name)
  expect(after?.metadata.deletionTimestamp).toBeUndefined()
  expect((await seed.deploymentOf(a)).spec?.replicas).toBe(1)
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})

const secretResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const finalizer = 'machine.sapcloud.io/machine-controller-manager'

test('a Worker does not succeed while a desired class is being deleted', async () => {
  const seed = await newSeed()
  await seed.converge()
  const [before] = await seed.machineObjects('MachineClass')
  const name = before?.metadata.name ?? ''
  await seed.kubernetes.delete(classResource, { name, namespace })
  await seed.reconcile()
  await seed.step()
  const { status } = await seed.live()
  expect(status?.lastOperation).toMatchObject({
    state: 'Processing',
    description: `machine class ${name} or its Secret is being deleted: it is recreated when no machine uses it`,
  })
  await seed.converge()
  const [after] = await seed.machineObjects('MachineClass')
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  expect(after?.metadata.deletionTimestamp).toBeUndefined()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})

test('a Worker succeeds only after the step that recreates the Secret of its class', async () => {
  const seed = await newSeed()
  await seed.converge()
  const [secret] = await seed.classSecrets()
  const key = { name: secret?.metadata.name ?? '', namespace }
  await seed.kubernetes.patch(secretResource, key, { metadata: { finalizers: [finalizer] } })
  await seed.kubernetes.delete(secretResource, key)
  await seed.reconcile()
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Processing')
  await seed.kubernetes.patch(secretResource, key, { metadata: { finalizers: null } })
  await seed.step()
  const [after] = await seed.classSecrets()
  expect(after?.metadata).toMatchObject({ name: key.name })
  expect(after?.metadata.deletionTimestamp).toBeUndefined()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})

/** A Worker with a class in deletion, which the next request needs again. */
const withClassInDeletion = async () => {
  const seed = await newSeed()
  await seed.converge()
  const [former] = await seed.machineObjects('MachineClass')
  await seed.reconcile([{ nodeAgentSecretName: 'another' }])
  await seed.step()
  await seed.controller.run()
  await seed.clock.advance(10_000)
  await seed.step()
  const present = await seed.machineObjects('MachineClass')
  const leaving = present.find(({ metadata }) => metadata.name === former?.metadata.name)
  expect(leaving?.metadata.deletionTimestamp).toBeDefined()
  return { seed, former }
}

test('a deployment gets a class in deletion only after it is recreated', async () => {
  const { seed, former } = await withClassInDeletion()
  await seed.reconcile([{}])
  await seed.step()
  const classOf = async () => (await seed.deploymentOf(a)).spec?.template.spec?.class?.name
  expect(await classOf()).not.toBe(former?.metadata.name)
  expect((await seed.live()).status?.lastOperation?.description).toContain('is being deleted')
  await seed.converge()
  expect(await classOf()).toBe(former?.metadata.name)
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})

test('a deployment with a held-back class still hibernates', async () => {
  const { seed, former } = await withClassInDeletion()
  await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
  await seed.reconcile([{}])
  await seed.step()
  const { spec } = await seed.deploymentOf(a)
  expect(spec?.template.spec?.class?.name).not.toBe(former?.metadata.name)
  expect(spec?.replicas ?? 0).toBe(0)
  await seed.converge()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})

test('a class in deletion that machines use is an error after five minutes, and is recreated once they are gone', async () => {
  const seed = await newSeed()
  await seed.converge()
  const [before] = await seed.machineObjects('MachineClass')
  const name = before?.metadata.name ?? ''
  await seed.kubernetes.delete(classResource, { name, namespace })
  await seed.reconcile()
  for (let count = 0; count < 32; count++) {
    await seed.step()
    await seed.clock.advance(10_000)
  }
  expect((await seed.live()).status?.lastError?.description).toContain(
    `last error: machine class ${name} or its Secret is being deleted`,
  )
  await seed.change('MachineClass', name, { metadata: { finalizers: null } })
  await seed.converge()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  expect(names(await seed.machineObjects('MachineClass'))).toEqual([name])
})

test('in hibernation a step does not wait for a class in deletion, and a step after the wake-up recreates it', async () => {
  const seed = await newSeed({ shoot: hibernate })
  await seed.converge()
  expect(await seed.controllerReplicas()).toMatchObject({ replicas: 0 })
  const [former] = await seed.machineObjects('MachineClass')
  const name = former?.metadata.name ?? ''
  await seed.change('MachineClass', name, { metadata: { finalizers: [finalizer] } })
  await seed.reconcile([{ nodeAgentSecretName: 'another' }])
  await seed.converge({ controls: false })
  await seed.reconcile([{}])
  await seed.converge({ controls: false })
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  const used = (await seed.deploymentOf(a)).spec?.template.spec?.class?.name
  expect((await seed.machineObjects('MachineClass')).map(({ metadata }) => metadata.name)).toContain(used)
  await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
  const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true }
  const controller = { name: 'machine-controller-manager', namespace }
  await seed.kubernetes.patch(deployments, controller, { spec: { replicas: 1 } })
  await seed.reconcile()
  await seed.converge()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
  expect((await seed.deploymentOf(a)).spec?.template.spec?.class?.name).toBe(name)
  const [after] = await seed.machineObjects('MachineClass')
  expect(after?.metadata).toMatchObject({ name })
  expect(after?.metadata.deletionTimestamp).toBeUndefined()
  expect(await seed.machineObjects('Machine')).toHaveLength(1)
})

test('changed limits of a pool are reported', async () => {
  const seed = await newSeed({ pools: [{ maximum: 5 }] })
  await seed.step()
  const { spec } = await seed.live()
  const pools = spec.pools.map(pool => ({ ...pool, maximum: 7 }))
  await seed.kubernetes.patch(workerResource, { name: 'worker', namespace }, { spec: { pools } })
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.live()).status?.machineDeployments).toEqual([{ name: a, minimum: 1, maximum: 7 }])
})

test('a Worker does not succeed while a desired deployment is being deleted', async () => {
  const seed = await newSeed({ pools: [{}, {}] })
  await seed.converge()
  await seed.reconcile([{}])
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.description).toContain(`(${b}) still exists`)
  await seed.kubernetes.delete(machineKinds.MachineDeployment.resource, { name: a, namespace })
  await seed.change('MachineDeployment', b, { metadata: { finalizers: null } })
  await seed.clock.advance(10_000)
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Processing')
  await seed.converge()
  expect((await seed.deploymentOf(a)).metadata.deletionTimestamp).toBeUndefined()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Succeeded')
})
