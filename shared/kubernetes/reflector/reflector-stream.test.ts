import { describe, expect, test } from 'vitest'
import { KubernetesError } from '../port.ts'
import { bench, bookmark, gone, modified, reset, thing } from '../testing/reflector-bench.ts'

const streamed = { streamed: true }
const added = (name: string, version: number) => ({ type: 'added', object: thing(name, version) }) as const

describe('a reflector with streamed lists', () => {
  test('the existing objects are read from the watch one by one, and the same stream continues', async () => {
    const server = await bench(undefined, streamed)
    const { clock, reflector, calls, lists, watches, latest } = server
    expect(latest().options).toMatchObject({ sendInitialEvents: true, allowWatchBookmarks: true })
    expect(latest().options.resourceVersion).toBeUndefined()
    latest().send(added('a', 7))
    latest().send(added('b', 5))
    await clock.advance(0)
    expect(reflector.synced()).toBe(false)
    latest().send(bookmark(9, true))
    latest().send(modified('b', 11))
    await clock.advance(0)
    expect(calls).toEqual(['initial a', 'initial b', 'replaced a b', 'synced', 'upsert b'])
    expect([lists.length, watches.length, reflector.size()]).toEqual([0, 1, 2])
    latest().end()
    await clock.advance(0)
    expect(latest().options).toMatchObject({ resourceVersion: '11' })
  })

  test('an expired version starts a new stream, and objects that are gone are reported', async () => {
    const { clock, calls, lists, latest, restarts } = await bench(undefined, streamed)
    for (const event of [added('a', 7), added('b', 5), bookmark(9, true)]) latest().send(event)
    await clock.advance(0)
    latest().end(gone)
    await clock.advance(0)
    for (const event of [added('a', 7), added('c', 20), bookmark(21, true)]) latest().send(event)
    await clock.advance(0)
    expect(calls.slice(4)).toEqual(['upsert c', 'deleted ns/b', 'replaced a c'])
    expect(restarts).toEqual([{ reason: 'expired', relist: true }])
    expect(lists).toHaveLength(0)
  })

  test('if a stream is older than the last event, another one passes every object', async () => {
    const { clock, calls, latest, watches } = await bench(undefined, streamed)
    for (const event of [added('a', 7), bookmark(9, true), bookmark(30)]) latest().send(event)
    await clock.advance(0)
    latest().end(gone)
    await clock.advance(0)
    for (const event of [added('a', 7), bookmark(20, true)]) latest().send(event)
    await clock.advance(10_000)
    expect(calls.slice(3)).toEqual([])
    expect(watches).toHaveLength(3)
    for (const event of [added('a', 7), bookmark(20, true)]) latest().send(event)
    await clock.advance(0)
    expect(calls.slice(3)).toEqual(['upsert a', 'replaced a'])
  })

  test('a broken stream is not a list: no object is removed, and the reflector retries', async () => {
    const { clock, calls, latest, watches, reflector } = await bench(undefined, streamed)
    for (const event of [added('a', 7), added('b', 5), bookmark(9, true)]) latest().send(event)
    await clock.advance(0)
    latest().end(gone)
    await clock.advance(0)
    latest().send(added('a', 7))
    latest().end(reset)
    await clock.advance(1_000)
    expect(calls).not.toContain('deleted ns/b')
    expect(reflector.size()).toBe(2)
    latest().end()
    await clock.advance(2_000)
    expect(watches).toHaveLength(4)
    expect(latest().options.sendInitialEvents).toBe(true)
  })

  test('the waits grow for a server with streams that always break', async () => {
    const { clock, latest, watches } = await bench(undefined, streamed)
    for (let round = 0; round < 600; round++) {
      latest().send(added('a', 7))
      latest().end(reset)
      await clock.advance(100)
    }
    expect(watches.length).toBeLessThan(15)
  })

  test('an object that is deleted during the list does not exist', async () => {
    const { clock, calls, latest, reflector } = await bench(undefined, streamed)
    latest().send(added('a', 7))
    latest().send({ type: 'deleted', object: thing('a', 8) })
    latest().send(bookmark(9, true))
    await clock.advance(0)
    expect(calls).toEqual(['initial a', 'deleted ns/a', 'replaced ', 'synced'])
    expect(reflector.size()).toBe(0)
  })
})

describe('a reflector without streamed lists', () => {
  test.each([422, 400])('a %i leads to pages at once, and no further stream is requested', async status => {
    const server = await bench(({ put, failures }) => {
      put('a')
      failures.watch.push(new KubernetesError(status, 'Invalid', 'sendInitialEvents is forbidden'))
    }, streamed)
    expect(server.calls).toEqual(['initial a', 'replaced a', 'synced'])
    expect(server.restarts).toEqual([])
    server.latest().end(gone)
    await server.clock.advance(0)
    expect(server.lists).toHaveLength(2)
    expect(server.watches.every(({ options }) => options.sendInitialEvents === undefined)).toBe(true)
  })

  test('a list without an end is read in pages', async () => {
    const { clock, calls, lists, latest } = await bench(({ put }) => put('a'), streamed)
    latest().send(added('a', 101))
    await clock.advance(92_000)
    expect(calls).toEqual(['initial a', 'replaced a', 'synced'])
    expect(lists).toHaveLength(1)
  })

  test.each([
    ['there is no such resource', new KubernetesError(404, 'NotFound', '404 page not found'), 30_000],
    ['it fails', new KubernetesError(500, 'InternalError', 'no'), 1_000],
    ['it does not let us', new KubernetesError(403, 'Forbidden', 'no'), 1_000],
  ])('a stream is requested again when %s', async (_, failure, afterMs) => {
    const { clock, lists, watches } = await bench(({ failures }) => failures.watch.push(failure), streamed)
    expect(watches).toHaveLength(0)
    await clock.advance(afterMs)
    expect(watches.map(({ options }) => options.sendInitialEvents)).toEqual([true])
    expect(lists).toHaveLength(0)
  })
})
