import { describe, expect, test } from 'vitest'
import { ConnectionError, KubernetesError } from '../port.ts'
import { bench, bookmark, gone, modified, reset, thing } from '../testing/reflector-bench.ts'
import type { RestartReason } from './reflector-handler.ts'

describe('the start', () => {
  test('existing objects are passed as initial page by page, then the watch starts there with bookmarks', async () => {
    const { calls, lists, reflector, latest } = await bench(
      server => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) server.put(name)
      },
      { pageSize: 2 },
    )
    expect(calls).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map(name => `initial ${name}`),
      'replaced a b c d e',
      'synced',
    ])
    expect(lists.map(({ limit, continue: token }) => [limit, token])).toEqual([
      [2, undefined],
      [2, '2'],
      [2, '4'],
    ])
    expect(latest().options).toMatchObject({ resourceVersion: '105', allowWatchBookmarks: true })
    expect(reflector.synced()).toBe(true)
    expect(reflector.size()).toBe(5)
  })

  test('an unreachable server is retried with pauses up to 10 s, and its objects are still initial', async () => {
    const { clock, calls, lists, reflector, restarts } = await bench(server => {
      server.put('a')
      server.failures.list.push(...Array.from({ length: 20 }, () => reset))
    })
    expect(reflector.synced()).toBe(false)
    expect(reflector.failure()).toBe(reset)
    await clock.advance(10_000)
    expect(lists.length).toBeGreaterThanOrEqual(5)
    await clock.advance(200_000)
    expect(calls).toEqual(['initial a', 'replaced a', 'synced'])
    expect(restarts.filter(({ reason }) => reason === 'failed')).toHaveLength(20)
    expect(reflector.failure()).toBeUndefined()
  })

  test('an expired paging token leads to one whole page, and no object is passed twice', async () => {
    const { clock, calls, lists } = await bench(
      server => {
        for (const name of ['a', 'b', 'c']) server.put(name)
        server.failures.list.push(undefined, gone)
      },
      { pageSize: 2 },
    )
    await clock.advance(1_000)
    expect(calls).toEqual(['initial a', 'initial b', 'initial c', 'replaced a b c', 'synced'])
    expect(lists.map(({ limit }) => limit)).toEqual([2, 2, undefined])
  })

  test('a failed whole page leads back to pages', async () => {
    const { clock, calls, lists } = await bench(
      server => {
        for (const name of ['a', 'b', 'c']) server.put(name)
        server.failures.list.push(undefined, gone, new Error('no answer in 30 s'), undefined)
      },
      { pageSize: 2 },
    )
    await clock.advance(10_000)
    expect(lists.map(({ limit }) => limit)).toEqual([2, 2, undefined, 2, 2])
    expect(calls.slice(-2)).toEqual(['replaced a b c', 'synced'])
  })

  test('a resource that is not installed is empty, and is found later', async () => {
    const notFound = new KubernetesError(404, 'NotFound', 'the server could not find the requested resource')
    const server = await bench(({ failures }) => failures.list.push(notFound, notFound))
    expect(server.calls).toEqual(['replaced ', 'synced'])
    server.put('a')
    await server.clock.advance(60_000)
    expect(server.calls.slice(-2)).toEqual(['upsert a', 'replaced a'])
  })
})

describe('a resource that was served before', () => {
  const notFound = new KubernetesError(404, 'NotFound', '404 page not found')

  test.each([
    ['once', 1],
    ['twenty times', 20],
  ])('keeps its objects when a starting API server answers 404 %s, and is retried soon', async (_, times) => {
    const server = await bench(({ put }) => put('a'))
    server.failures.list.push(...Array.from({ length: times }, () => notFound))
    server.latest().end(notFound)
    await server.clock.advance(0)
    server.put('b')
    expect(server.reflector.failure()).toBe(notFound)
    expect(server.reflector.size()).toBe(1)
    await server.clock.advance(times === 1 ? 1_000 : 200_000)
    expect(server.calls.slice(3)).toEqual(['upsert b', 'replaced a b'])
    expect(server.restarts.filter(({ reason }) => reason === 'failed')).toHaveLength(1 + times)
    expect(server.restarts.filter(({ reason }) => reason === 'absent')).toEqual([])
    expect(server.reflector.failure()).toBeUndefined()
  })

  test('keeps its objects when a stream of existing objects gets 404', async () => {
    const server = await bench(({ put }) => put('a'), { streamed: true })
    server.latest().send({ type: 'added', object: thing('a', 101) })
    server.latest().send(bookmark(101, true))
    await server.clock.advance(2_000)
    server.failures.watch.push(notFound, notFound)
    server.latest().end(gone)
    await server.clock.advance(5_000)
    server.latest().send({ type: 'added', object: thing('a', 101) })
    server.latest().send(bookmark(102, true))
    await server.clock.advance(0)
    expect(server.calls).toEqual(['initial a', 'replaced a', 'synced', 'replaced a'])
  })

  test('loses its objects only by their deletion or a list without them', async () => {
    const server = await bench(({ put }) => put('a'))
    server.failures.list.push(notFound)
    server.take('a')
    server.latest().end(gone)
    await server.clock.advance(0)
    expect(server.calls).toEqual(['initial a', 'replaced a', 'synced'])
    await server.clock.advance(2_000)
    expect(server.calls.slice(3)).toEqual(['deleted ns/a', 'replaced '])
  })
})

describe('the watch', () => {
  test('additions, changes and deletions are passed as they arrive', async () => {
    const { clock, calls, latest } = await bench(server => server.put('a'))
    latest().send({ type: 'added', object: thing('b', 201) })
    latest().send(modified('a', 202))
    latest().send({ type: 'deleted', object: thing('b', 203) })
    await clock.advance(0)
    expect(calls.slice(3)).toEqual(['upsert b', 'upsert a', 'deleted ns/b'])
  })

  test('an object that was replaced under its name is first passed as deleted', async () => {
    const { clock, calls, latest } = await bench(server => server.put('a'))
    latest().send({ type: 'added', object: thing('a', 201, 'another uid') })
    await clock.advance(0)
    expect(calls.slice(3)).toEqual(['deleted ns/a', 'upsert a'])
  })

  test.each<[string, unknown, RestartReason]>([
    ['the server closes it', undefined, 'closed'],
    ['the socket breaks', reset, 'failed'],
    ['the answer is cut off', new ConnectionError('truncated', { cause: undefined, sent: true }), 'failed'],
    ['the server answers 500', new KubernetesError(500, 'InternalError', 'etcd'), 'failed'],
    ['the token is no longer valid', new KubernetesError(401, 'Unauthorized', 'Unauthorized'), 'failed'],
  ])('the watch resumes after the last seen version when %s', async (_, error, reason) => {
    const { clock, lists, watches, latest, restarts, calls } = await bench(server => server.put('a'))
    latest().send(modified('a', 300))
    latest().send(bookmark(350))
    await clock.advance(2_000)
    latest().end(error)
    await clock.advance(1_000)
    expect(watches.map(({ options }) => options.resourceVersion)).toEqual(['101', '350'])
    expect(restarts).toEqual([{ reason, relist: false }])
    expect(lists).toHaveLength(1)
    latest().send(modified('a', 400))
    await clock.advance(0)
    expect(calls.slice(3)).toEqual(['upsert a', 'upsert a'])
  })

  test.each([
    ['410 as an error event', gone],
    ['504 for a version that is newer than its own', new KubernetesError(504, 'Timeout', 'Too large')],
  ])(
    'the reflector lists again on %s, and reports changes and deletions of the meantime',
    async (_, error) => {
      const server = await bench(({ put }) => {
        for (const name of ['same', 'changed', 'gone', 'replaced']) put(name)
      })
      server.take('gone')
      server.put('changed')
      server.put('new')
      server.put('replaced', 'another uid')
      server.latest().end(error)
      await server.clock.advance(0)
      expect(server.calls.slice(6)).toEqual([
        'upsert changed',
        'deleted ns/replaced',
        'upsert replaced',
        'upsert new',
        'deleted ns/gone',
        'replaced same changed replaced new',
      ])
      expect(server.restarts).toMatchObject([{ relist: true }])
      expect(server.watches).toHaveLength(2)
    },
  )

  test('lists do not loop tightly when every watch is refused with 410', async () => {
    const server = await bench(({ failures }) =>
      failures.watch.push(...Array.from({ length: 1000 }, () => gone)),
    )
    await server.clock.advance(60_000)
    expect(server.lists.length).toBeLessThan(20)
  })

  test('watches do not loop tightly when the server closes each at once', async () => {
    const server = await bench()
    const before = server.watches.length
    for (let round = 0; round < 600; round++) {
      server.latest().end()
      await server.clock.advance(100)
    }
    expect(server.watches.length - before).toBeLessThan(30)
  })

  test('a silent stream is given up after 70 to 90 s, even if closing it hangs, and resumed', async () => {
    const { clock, watches, latest, restarts, put } = await bench(server => server.put('a'))
    await clock.advance(60_000)
    put('b')
    latest().send(bookmark(102))
    await clock.advance(69_000)
    expect(watches).toHaveLength(1)
    const silent = latest()
    await clock.advance(21_000)
    expect(watches.map(({ options }) => options.resourceVersion)).toEqual(['101', '102'])
    expect(restarts).toEqual([{ reason: 'idle', relist: false }])
    expect(silent.options.signal?.aborted).toBe(true)
  })

  test('a silent stream from a version that the server has not reached leads to a list', async () => {
    const server = await bench(({ put }) => put('a'))
    server.latest().send(bookmark(300))
    await server.clock.advance(90_000)
    expect(server.restarts).toMatchObject([{ reason: 'idle', relist: true }])
    expect(server.calls.slice(3)).toEqual(['upsert a', 'replaced a'])
    expect(server.latest().options.resourceVersion).toBe('101')
  })

  test('a silent stream is resumed if the version of the server cannot be read', async () => {
    const server = await bench(({ put }) => put('a'))
    server.latest().send(bookmark(300))
    server.failures.list.push(reset)
    await server.clock.advance(90_000)
    expect(server.restarts).toEqual([{ reason: 'idle', relist: false }])
    expect(server.latest().options.resourceVersion).toBe('300')
  })

  test('if a list is older than the last event, no object counts as unchanged', async () => {
    const server = await bench(({ put }) => put('a'))
    server.latest().send(bookmark(300))
    server.latest().end(gone)
    await server.clock.advance(0)
    expect(server.calls.slice(3)).toEqual(['upsert a', 'replaced a'])
    server.latest().end(gone)
    await server.clock.advance(10_000)
    expect(server.calls.slice(5)).toEqual(['replaced a'])
  })

  test('the reflector continues after a handler threw, and passes that object again in the next list', async () => {
    const server = await bench(({ put }) => put('a'))
    server.poison = 'bad'
    server.put('bad')
    server.latest().send({ type: 'added', object: thing('bad', 102) })
    server.latest().send(modified('a', 103))
    await server.clock.advance(0)
    expect(server.calls.slice(3)).toEqual(['upsert a'])
    expect(server.logged).toContain('handler of watched objects failed')
    server.poison = undefined
    server.latest().end(gone)
    await server.clock.advance(0)
    expect(server.calls).toContain('upsert bad')
  })

  test('after a handler threw, all is read again in 10 s and then less often, until it succeeds', async () => {
    const server = await bench(({ put }) => put('a'))
    const lists = () => server.lists.length
    const passMinutes = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await server.clock.advance(60_000)
        server.latest().send(bookmark(102))
      }
    }
    server.poison = 'bad'
    server.put('bad')
    server.latest().send({ type: 'added', object: thing('bad', 102) })
    await server.clock.advance(0)
    const before = lists()
    await server.clock.advance(9_000)
    expect(lists()).toBe(before)
    await server.clock.advance(2_000)
    expect(lists()).toBe(before + 1)
    expect(server.restarts.at(-1)).toMatchObject({ reason: 'unhandled', relist: true })
    await server.clock.advance(21_000)
    expect(lists()).toBe(before + 2)
    await passMinutes(60)
    expect(lists() - before).toBeLessThan(20)
    server.poison = undefined
    await passMinutes(5)
    expect(server.calls.filter(call => call === 'upsert bad')).toHaveLength(1)
    const settled = lists()
    await passMinutes(60)
    expect(lists()).toBe(settled)
  })

  test('there is always some activity, also while the server is unreachable', async () => {
    const { clock, reflector, latest, failures } = await bench()
    failures.watch.push(...Array.from({ length: 10_000 }, () => reset))
    latest().end(reset)
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000)
      expect(clock.now() - reflector.lastActivity()).toBeLessThan(20_000)
    }
    failures.watch.length = 0
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000)
      expect(clock.now() - reflector.lastActivity()).toBeLessThan(120_000)
    }
  })
})
