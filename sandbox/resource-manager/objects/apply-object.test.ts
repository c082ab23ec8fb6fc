import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { configMaps } from '../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createApiServer } from '../../kubernetes/kubernetes.ts'
import { applyObject } from './apply-object.ts'
import { deleteObjects } from './delete-objects.ts'
import { targetOf } from './target-cluster.ts'

const key = { name: 'one', namespace: 'default' }

const configMap = (data: Readonly<Record<string, string>>, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key, ...metadata },
  data,
})

const cluster = () => {
  const clock = virtualClock(0)
  const target = targetOf(createApiServer({ clock, objects: [] }).transport, clock)
  const { kubernetes } = target
  const replaced: string[] = []
  const counted: typeof target = {
    ...target,
    kubernetes: {
      ...kubernetes,
      replace: (of, object, ...rest) => {
        replaced.push(object.metadata.name)
        return kubernetes.replace(of, object, ...rest)
      },
    },
  }
  const apply = (object: KubernetesObject) =>
    applyObject(counted, {
      object,
      origin: 'shoot--foo--bar/one',
      injectLabels: {},
      forceOverwriteLabels: false,
      forceOverwriteAnnotations: false,
      before: undefined,
    })
  return { target, apply, replaced, read: () => kubernetes.get(configMaps, key) }
}

test('an object in the desired state is not written, whatever its status', async () => {
  const { target, apply, replaced } = cluster()
  const node: KubernetesObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'two' } }
  await apply(configMap({ a: '1' }))
  await apply(node)
  const nodes = { group: '', version: 'v1', plural: 'nodes', namespaced: false }
  const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } }
  await target.kubernetes.patch(nodes, { name: 'two' }, status, { subresource: 'status' })
  await apply(configMap({ a: '1' }))
  await apply(node)
  expect(replaced).toEqual([])
})

test('an ignored object is created once', async () => {
  const { apply, read } = cluster()
  const annotations = { 'resources.gardener.cloud/ignore': 'true' }
  await apply(configMap({ a: '1' }, { annotations }))
  await apply(configMap({ a: '2' }, { annotations }))
  expect((await read())?.data).toEqual({ a: '1' })
  await apply(configMap({ a: '3' }))
  expect((await read())?.data).toEqual({ a: '3' })
})

test('an object of the garbage collector is left to it', async () => {
  const { target, apply, read } = cluster()
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', ...key }
  await apply(configMap({}, { labels: { 'resources.gardener.cloud/garbage-collectable-reference': 'true' } }))
  expect(await deleteObjects(target, [reference])).toEqual([])
  expect(await read()).toBeDefined()
})
