import { setImmediate as immediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { createKubernetes } from '../client.ts'
import type { GroupVersionResource, KubernetesObject } from '../port.ts'
import type { Transport } from '../transport/transport.ts'
import { createReflector } from './reflector.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const resource: GroupVersionResource = {
  group: 'test.io',
  version: 'v1',
  plural: 'things',
  namespaced: false,
}
const size = 2_000_000
const thing = (name: string) => ({
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', annotations: { note: `note of ${name}` } },
  status: { state: 'x'.repeat(size) },
})
const bytes = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)
const added = Object.groupBy(
  ['first', 'second', 'last', 'later'].map(name => bytes({ type: 'ADDED', object: thing(name) })),
  (_, index) => (index < 3 ? 'before' : 'after'),
)

/** An API server with watches that send a few events and then nothing. By default it refuses streamed lists. */
const server = (isStreamed: boolean): { transport: Transport; end(): void } => {
  const ended = Promise.withResolvers<void>()
  async function* watch(query: string): AsyncGenerator<Uint8Array> {
    yield* added.before ?? []
    if (query.includes('sendInitialEvents=true')) {
      const annotations = { 'k8s.io/initial-events-end': 'true' }
      yield bytes({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '2', annotations } } })
      yield* added.after ?? []
    }
    await ended.promise
  }
  async function* list(): AsyncGenerator<Uint8Array> {
    yield bytes({
      apiVersion: 'test.io/v1',
      kind: 'ThingList',
      metadata: { resourceVersion: '1' },
      items: [],
    })
  }
  return {
    end: ended.resolve,
    transport: async ({ path }) => {
      const isRefused = path.includes('sendInitialEvents') && !isStreamed
      const body = path.includes('watch=true') && !isRefused ? watch(path) : list()
      return { status: isRefused ? 422 : 200, headers: {}, body }
    },
  }
}

test.each([
  ['of a watch', false],
  ['of a watch that streamed the list', true],
])('a reflector retains no object %s during a silent watch', async (_, isStreamed) => {
  const objects: WeakRef<KubernetesObject>[] = []
  const kept: unknown[] = []
  const { transport, end } = server(isStreamed)
  const stop = new AbortController()
  const expected = isStreamed ? 4 : 3
  const all = Promise.withResolvers<void>()
  const before = heapUsed()
  const running = createReflector({
    kubernetes: createKubernetes({ transport, clock: systemClock }),
    resource,
    clock: systemClock,
    streamed: isStreamed,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    handler: {
      upsert: object => {
        objects.push(new WeakRef(object))
        // Small parts, like those that the bridge stores. They must not retain the text of the whole object.
        kept.push(object.metadata.name, object.metadata.annotations?.note, object.metadata.uid)
        if (objects.length === expected) all.resolve()
      },
      deleted: () => undefined,
    },
  }).run(stop.signal)
  await all.promise
  const left = () => objects.filter(object => object.deref() !== undefined).length
  // The reflector waits for more. A collection that began before an object was read keeps it, so one collection proves
  // nothing.
  for (let round = 0; round < 20 || (round < 60 && left() > 0); round++) {
    await immediate()
    if (round >= 20) collect()
  }
  expect(left()).toBe(0)
  expect(heapUsed() - before).toBeLessThan(size / 2)
  expect(kept).toHaveLength(3 * expected)
  stop.abort()
  end()
  await running
})

const heapUsed = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}
