import { afterEach, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { createKubernetes, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { applyObjects } from './apply-objects.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.reverse().splice(0)) await step()
})

const start = async () => {
  const server = createApiServer({ clock: systemClock, objects: allCrds() })
  undo.push(server.close)
  const { url, close } = await server.listen()
  undo.push(close)
  const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  return { kubernetes, url }
}
const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'rose' } }
const extension = (providerConfig: object): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Extension',
  metadata: { name: 'x', namespace: 'rose' },
  spec: { type: 'x', providerConfig },
})
const extensions = {
  group: 'extensions.gardener.cloud',
  version: 'v1alpha1',
  plural: 'extensions',
  namespaced: true,
}

test('objects of any kind are created in order, and updated if they exist', async () => {
  const seed = await start()
  await applyObjects([namespace, extension({ a: 1 })], seed)
  await applyObjects([namespace, extension({ a: 2 })], seed)
  const found = await seed.kubernetes.get(extensions, { namespace: 'rose', name: 'x' })
  expect(found?.spec).toEqual({ type: 'x', providerConfig: { a: 2 } })
})

test.each([
  [{ ...namespace, kind: 'Nonesuch' }, 'the seed does not serve kind Nonesuch of v1'],
  [{ ...namespace, apiVersion: 'a.b/v1' }, 'the seed does not serve kind Namespace of a.b/v1'],
])('an unknown kind is reported', async (object, why) => {
  await expect(applyObjects([object], await start())).rejects.toThrow(why)
})
