import { expect, test } from 'vitest'
import type { KubernetesObject, Reflector } from '../../../shared/kubernetes/kubernetes.ts'
import type { WatchHandler } from '../watch.ts'
import { watchAwaitedObjects } from './awaited-objects.ts'

const resource = { group: 'example.com', version: 'v1', plural: 'things', namespaced: true }

/** Follows things that a Worker and a ControlPlane wait for. Returns the changes of the Worker's. */
const follow = () => {
  let handler: WatchHandler | undefined
  const changes: string[] = []
  const awaited = [{ resource, isComplete: ({ spec }: KubernetesObject) => spec === 'ready' }]
  watchAwaitedObjects({
    kinds: ['Worker', 'ControlPlane'],
    awaitedBy: { Worker: awaited },
    namespace: undefined,
    watch: (_, given) => {
      handler = given
      return {} as Reflector
    },
    changed: (kind, namespace, complete) => changes.push(`${kind} ${namespace} ${complete}`),
    observers: { resourceSeen: () => {}, resourceDeleted: () => {} },
  })
  const key = (name: string) => ({ name, namespace: 'ns' })
  return {
    put: (name: string, spec: string, initial = false) => {
      const metadata = { ...key(name), generation: spec.length }
      handler?.upsert({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec }, { initial })
      return changes.splice(0)
    },
    remove: (name: string) => {
      handler?.deleted(key(name))
      return changes.splice(0)
    },
  }
}

test('a change says if anything in the namespace is left to wait for', () => {
  const { put, remove } = follow()
  expect(put('a', 'new', true)).toEqual([])
  expect(put('b', 'new', true)).toEqual([])
  expect(put('c', 'ready', true)).toEqual([])
  expect(put('a', 'ready')).toEqual(['Worker ns false'])
  expect(put('b', 'ready')).toEqual(['Worker ns true'])
  expect(put('b', 'broken')).toEqual(['Worker ns false'])
  expect(remove('a')).toEqual(['Worker ns false'])
  expect(remove('b')).toEqual(['Worker ns true'])
  expect(remove('c')).toEqual(['Worker ns true'])
})

test('an object in the first list, an object that is not ready yet, and an unchanged version do not count as changes', () => {
  const { put, remove } = follow()
  expect(put('a', 'ready', true)).toEqual([])
  expect(put('a', 'ready')).toEqual([])
  expect(put('b', 'new')).toEqual([])
  expect(put('c', 'ready')).toEqual(['Worker ns false'])
  expect(remove('unknown')).toEqual([])
})
