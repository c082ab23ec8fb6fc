import { describe, expect, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../clock/clock.ts'
import { createKubernetes, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { secrets } from '../lifecycle.ts'
import { notedKubernetes } from './noted-kubernetes.ts'
import { writtenKubernetes } from './written-kubernetes.ts'

const namespace = 'n'
const secret = (name: string, labels: Record<string, string> = {}, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels, ...more },
})

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const server = createApiServer({ clock })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  )
  for (const one of [secret('a', { of: 'x' }), secret('b', { of: 'y' })])
    await kubernetes.create(secrets, one)
  await kubernetes.create(secrets, secret('held', {}, { finalizers: ['x/y'] }))
  const written = writtenKubernetes(kubernetes, { signal: new AbortController().signal, now: clock.now() })
  const names = async (labelSelector?: string) =>
    (await written.list(secrets, { namespace, ...(labelSelector && { labelSelector }) })).items
      .map(({ metadata }) => metadata.name)
      .sort()
  return { kubernetes, written, names, key: (name: string) => ({ name, namespace }) }
}

describe('an API server after the writes of a plan', () => {
  test('a list has the objects of all pages', async () => {
    const { kubernetes } = await setUp()
    const list = (...[of, options]: Parameters<typeof kubernetes.list>) =>
      kubernetes.list(of, { ...options, limit: 1 })
    const { signal } = new AbortController()
    const paged = writtenKubernetes({ ...kubernetes, list }, { signal, now: 0 })
    const { items } = await paged.list(secrets, { namespace })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'held'])
  })

  test('a created object exists, and a second one of its name is refused', async () => {
    const { written, names, kubernetes, key } = await setUp()
    await written.create(secrets, secret('c', { of: 'x' }))
    expect(await names('of=x')).toEqual(['a', 'c'])
    expect(await written.get(secrets, key('c'))).toMatchObject({
      metadata: { creationTimestamp: '2026-11-21T12:00:00Z' },
    })
    await expect(written.create(secrets, secret('a'))).rejects.toMatchObject({ reason: 'AlreadyExists' })
    expect(await kubernetes.get(secrets, key('c'))).toBeUndefined()
  })

  test('a list selects by the labels after a patch', async () => {
    const { written, names, key } = await setUp()
    await written.patch(secrets, key('b'), { metadata: { labels: { of: 'x', more: '' } } })
    await written.patch(secrets, key('a'), { metadata: { labels: { of: null } } })
    expect(await names('of=x')).toEqual(['b'])
    expect(await names('more')).toEqual(['b'])
    expect(await names()).toEqual(['a', 'b', 'held'])
    await expect(written.patch(secrets, key('z'), {})).rejects.toMatchObject({ status: 404 })
  })

  test('only another spec gives a new generation', async () => {
    const { written, key } = await setUp()
    await written.create(secrets, secret('c'))
    await written.patch(secrets, key('c'), { metadata: { labels: { of: 'x' } } })
    expect((await written.get(secrets, key('c')))?.metadata.generation).toBe(1)
    await written.patch(secrets, key('c'), { spec: {} })
    expect((await written.get(secrets, key('c')))?.metadata.generation).toBe(2)
  })

  test('an apply merges into an existing object and creates a missing one', async () => {
    const { written, key, kubernetes: live } = await setUp()
    const { kubernetes, writes } = notedKubernetes(written)
    await kubernetes.get(secrets, key('a'))
    await kubernetes.apply(secrets, secret('a', { more: '' }, { uid: 'u' }), { fieldManager: 'x' })
    await kubernetes.apply(secrets, secret('new'), { fieldManager: 'x' })
    expect((await written.get(secrets, key('a')))?.metadata.labels).toEqual({ of: 'x', more: '' })
    expect((await written.get(secrets, key('new')))?.metadata.generation).toBe(1)
    expect(await live.get(secrets, key('new'))).toBeUndefined()
    expect(writes()).toMatchObject([
      { verb: 'apply', present: { metadata: { labels: { of: 'x' } } }, object: secret('a', { more: '' }) },
      { verb: 'apply', present: undefined, object: secret('new') },
    ])
  })

  test('a deleted object is gone unless it has a finalizer', async () => {
    const { written, names, key } = await setUp()
    await written.delete(secrets, key('a'))
    await written.delete(secrets, key('held'))
    expect(await names()).toEqual(['b', 'held'])
    expect((await written.get(secrets, key('held')))?.metadata.deletionTimestamp).toBe('2026-11-21T12:00:00Z')
    written.put(secrets, key('held'), undefined)
    expect(await names()).toEqual(['b'])
  })

  test('each write is recorded with the object before it', async () => {
    const { written, key } = await setUp()
    const { kubernetes, writes } = notedKubernetes(written)
    await kubernetes.get(secrets, key('a'))
    await kubernetes.patch(secrets, key('a'), { metadata: { uid: 'u', labels: { of: 'z' } } })
    await kubernetes.delete(secrets, key('a'))
    expect(writes()).toMatchObject([
      {
        verb: 'patch',
        present: { metadata: { labels: { of: 'x' } } },
        patch: { metadata: { labels: { of: 'z' } } },
      },
      { verb: 'delete', present: { metadata: { labels: { of: 'z' } } } },
    ])
  })
})
