import { expect, onTestFinished, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { configMaps, namespaces, secrets } from '../../shared/kubernetes/core-resources.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import {
  type DesiredManagedResource,
  ensureManagedResource,
  healthyWait,
  readManagedResource,
} from '../../shared/resources/resources.ts'
import { createApiServer } from '../kubernetes/kubernetes.ts'
import { resourceFaultAnnotation, startResourceManager, targetOf } from './resource-manager.ts'

const namespace = 'shoot--foo--bar'
const key = { name: 'one', namespace }
const desiredOf = (fields: Partial<DesiredManagedResource> = {}): DesiredManagedResource => ({
  ...key,
  class: 'seed',
  key: 'chart',
  objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first', namespace } }],
  ...fields,
})
const minute = 60_000

/** With real durations; the clock does not advance. */
const start = async (fault?: string) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const annotations = fault === undefined ? {} : { [resourceFaultAnnotation]: fault }
  const server = createApiServer({
    clock,
    objects: [
      ...resourceCrds(),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, annotations } },
    ],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const ended = new AbortController()
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const manager = startResourceManager({
    kubernetes,
    targetOf: async resourceClass =>
      resourceClass === 'seed' ? targetOf(server.controllerTransport, clock) : undefined,
    clock,
    log,
    scale: 1,
    signal: ended.signal,
  })
  onTestFinished(async () => {
    ended.abort()
    await manager.ended()
    server.close()
  })
  const read = () => readManagedResource(kubernetes, key)
  return {
    clock,
    kubernetes,
    manager,
    read,
    isHealthy: async () => healthyWait(key, await read()).kind === 'over',
    setFault: (fault: string | null) =>
      kubernetes.patch(
        namespaces,
        { name: namespace },
        { metadata: { annotations: { [resourceFaultAnnotation]: fault } } },
      ),
    secretNames: async () =>
      (await kubernetes.list(secrets, { namespace })).items.map(one => one.metadata.name),
  }
}

test('a ManagedResource is reconciled at once', async () => {
  const { clock, kubernetes, isHealthy } = await start()
  await ensureManagedResource(kubernetes, desiredOf())
  await clock.advance(1)
  expect(await isHealthy()).toBe(true)
})

test('a ManagedResource without its Secret is not applied until the Secret returns', async () => {
  const { clock, kubernetes, manager, isHealthy, read, secretNames } = await start()
  await ensureManagedResource(kubernetes, desiredOf())
  await clock.advance(1)
  const [name = ''] = await secretNames()
  await kubernetes.delete(secrets, { name, namespace })
  manager.secretDeleted(`${namespace}/${name}`)
  await clock.advance(1)
  const applied = (await read())?.status?.conditions?.find(({ type }) => type === 'ResourcesApplied')
  expect(applied).toMatchObject({ status: 'False', reason: 'CannotReadSecret' })
  await ensureManagedResource(kubernetes, desiredOf())
  expect(await secretNames()).toEqual([name])
  await clock.advance(minute)
  expect(await isHealthy()).toBe(true)
})

test('objects that have gone together with another ManagedResource are applied again after a minute', async () => {
  const { clock, kubernetes } = await start()
  await ensureManagedResource(kubernetes, desiredOf())
  await ensureManagedResource(kubernetes, desiredOf({ name: 'other', objects: [] }))
  await clock.advance(1)
  await kubernetes.delete(configMaps, { name: 'first', namespace })
  await kubernetes.delete(managedResourceKind.resource, { name: 'other', namespace })
  await clock.advance(minute)
  await clock.advance(1)
  expect(await kubernetes.get(configMaps, { name: 'first', namespace })).toBeDefined()
})

test('a ManagedResource of another class is ignored', async () => {
  const { clock, kubernetes, read } = await start()
  const { class: _, ...others } = desiredOf()
  await ensureManagedResource(kubernetes, others)
  await clock.advance(minute)
  expect((await read())?.metadata.finalizers).toBeUndefined()
})

test('a fault makes a ManagedResource stuck until it is removed', async () => {
  const { clock, kubernetes, read, isHealthy, setFault } = await start('stuck')
  await ensureManagedResource(kubernetes, desiredOf())
  await clock.advance(10 * minute)
  expect(await read()).not.toHaveProperty('status')
  await setFault(null)
  await clock.advance(minute)
  expect(await isHealthy()).toBe(true)
})

test('a fault makes a ManagedResource slow at each change', async () => {
  const { clock, kubernetes, isHealthy } = await start('slow')
  await ensureManagedResource(kubernetes, desiredOf())
  await clock.advance(minute - 1)
  expect(await isHealthy()).toBe(false)
  await clock.advance(1)
  expect(await isHealthy()).toBe(true)
  await ensureManagedResource(kubernetes, desiredOf({ objects: [] }))
  await clock.advance(minute - 1)
  expect(await isHealthy()).toBe(false)
  await clock.advance(1)
  expect(await isHealthy()).toBe(true)
})

test('unreferenced Secrets are collected after a while, and no others', async () => {
  const { clock, kubernetes, secretNames } = await start()
  const theirs = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'theirs', namespace } }
  await kubernetes.create(secrets, theirs)
  await ensureManagedResource(kubernetes, desiredOf())
  const { managedResource } = await ensureManagedResource(kubernetes, desiredOf({ objects: [] }))
  const present = managedResource.spec?.secretRefs[0]?.name
  await clock.advance(59 * minute)
  expect(await secretNames()).toHaveLength(3)
  const { managedResource: latest } = await ensureManagedResource(kubernetes, desiredOf())
  await clock.advance(minute)
  // The Secret of the first version is in use again; that of the second is deleted.
  expect([...(await secretNames())].sort()).toEqual([latest.spec?.secretRefs[0]?.name, 'theirs'].sort())
  expect(latest.spec?.secretRefs[0]?.name).not.toBe(present)
})

test('recently created Secrets are not collected', async () => {
  const { clock, kubernetes, secretNames } = await start()
  await clock.advance(55 * minute)
  await ensureManagedResource(kubernetes, desiredOf())
  await ensureManagedResource(kubernetes, desiredOf({ objects: [] }))
  await clock.advance(5 * minute)
  expect(await secretNames()).toHaveLength(2)
  await clock.advance(60 * minute)
  expect(await secretNames()).toHaveLength(1)
})
