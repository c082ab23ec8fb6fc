import { afterEach, expect, test } from 'vitest'
import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../clock/clock.ts'
import { allCrds } from '../../../contract/crds/crd-of.ts'
import { clusterKind } from '../../../contract/kinds.ts'
import { ConnectionError, createKubernetes, type Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { currentClusters } from './lookups.ts'

const { resource } = clusterKind
const name = 'shoot--foo--bar'
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of undo.splice(0)) await close()
})

/** Starts a lookup that follows a seed with one Cluster. Counts its reads from the API server. */
const begin = async () => {
  const clock = virtualClock(Date.parse('2026-11-22T12:00:00Z'))
  const server = createApiServer({ clock, objects: allCrds() })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const add = (of: string, text = '') =>
    kubernetes.create(resource, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Cluster',
      metadata: { name: of },
      spec: { shoot: { metadata: { name: 'first' } }, cloudProfile: { text }, seed: {} },
    })
  await add(name)
  let reads = 0
  let breaks: ((why: Error) => void) | undefined
  let isDown = false
  const metadata: Pick<Kubernetes, 'list' | 'watch'> = {
    list: kubernetes.list,
    watch: async function* (of, options) {
      if (isDown) throw new ConnectionError('refused', { cause: undefined, sent: false })
      const broken = Promise.withResolvers<never>()
      broken.promise.catch(() => undefined)
      breaks = broken.reject
      const events = kubernetes.watch(of, options)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await Promise.race([events.next(), broken.promise])
          if (next.done) return
          yield next.value
        }
      } finally {
        void events.return?.()
      }
    },
  }
  const { lookup, run } = currentClusters({
    kubernetes: {
      list: kubernetes.list,
      get: (...of) => {
        reads++
        return kubernetes.get(...of)
      },
    },
    metadata,
    clock,
    log: silent,
  })
  const stop = new AbortController()
  const running = run(stop.signal)
  undo.push(async () => {
    stop.abort()
    await running
    server.close()
  })
  await clock.advance(0)
  const shootName = async (of = name) =>
    (Object((await lookup.get(resource, { name: of }))?.spec).shoot ?? undefined)?.metadata.name
  return {
    clock,
    kubernetes,
    add,
    shootName,
    rename: (to: string) =>
      kubernetes.patch(resource, { name }, { spec: { shoot: { metadata: { name: to } } } }),
    /** Returns the number of reads of a Cluster during the work. */
    readsOf: async (work: () => Promise<unknown>) => {
      const before = reads
      await work()
      return reads - before
    },
    breakWatch: () => {
      isDown = true
      breaks?.(new ConnectionError('reset', { cause: undefined, sent: true }))
    },
    mendWatch: () => {
      isDown = false
    },
  }
}

test('a Cluster is read once for many reviews', async () => {
  const { shootName, readsOf } = await begin()
  expect(
    await readsOf(async () => {
      for (let review = 0; review < 10; review++) expect(await shootName()).toBe('first')
    }),
  ).toBe(1)
})

test('a changed Cluster is read again', async () => {
  const { clock, shootName, rename } = await begin()
  expect(await shootName()).toBe('first')
  await rename('second')
  await clock.advance(0)
  expect(await shootName()).toBe('second')
})

test('a deleted Cluster is missing, and is found once it is recreated', async () => {
  const { clock, kubernetes, shootName, add } = await begin()
  expect(await shootName()).toBe('first')
  await kubernetes.delete(resource, { name })
  await clock.advance(0)
  expect(await shootName()).toBeUndefined()
  await add(name)
  // Before the watch has reported it.
  expect(await shootName()).toBe('first')
})

test('every review reads the Cluster while the watch is down, so no outdated Cluster is returned', async () => {
  const { clock, shootName, rename, readsOf, breakWatch, mendWatch } = await begin()
  expect(await shootName()).toBe('first')
  breakWatch()
  await clock.advance(0)
  expect(await readsOf(shootName)).toBe(1)
  await rename('second')
  expect(await shootName()).toBe('second')
  mendWatch()
  await clock.advance(120_000)
  expect(await shootName()).toBe('second')
  expect(await readsOf(shootName)).toBe(0)
})

test('a reconnected watch reports nothing before the server has', async () => {
  const { clock, shootName, readsOf, breakWatch, mendWatch } = await begin()
  expect(await shootName()).toBe('first')
  breakWatch()
  await clock.advance(0)
  mendWatch()
  await clock.advance(1_000)
  expect(await readsOf(shootName)).toBe(1)
  expect(await readsOf(shootName)).toBe(1)
})

test('no Cluster is cached for longer than 10 s, because a dead connection reports no changes', async () => {
  const { clock, shootName, readsOf } = await begin()
  await shootName()
  await clock.advance(9_000)
  expect(await readsOf(shootName)).toBe(0)
  await clock.advance(1_000)
  expect(await readsOf(shootName)).toBe(1)
})

test('the sixteen most recently used Clusters are cached, but never a very large one', async () => {
  const { clock, shootName, add, readsOf } = await begin()
  await shootName()
  for (let index = 0; index < 16; index++) {
    await add(`shoot--foo--${index}`)
    await clock.advance(0)
    await shootName(`shoot--foo--${index}`)
  }
  expect(await readsOf(() => shootName('shoot--foo--15'))).toBe(0)
  expect(await readsOf(() => shootName('shoot--foo--0'))).toBe(0)
  expect(await readsOf(shootName)).toBe(1)
  await add('large', 'x'.repeat(600_000))
  await clock.advance(0)
  await shootName('large')
  expect(await readsOf(() => shootName('large'))).toBe(1)
})
