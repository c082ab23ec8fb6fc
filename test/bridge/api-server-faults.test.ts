import { afterEach, describe, expect, test } from 'vitest'
import type { ApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { type BridgeOnServer, bridgeOnServer } from './harness.ts'

const isWatch = ({ path }: { readonly path: string }) => path.includes('watch=')
const isRecordList = ({ path }: { readonly path: string }) =>
  path.includes('/dnsrecords') && !isWatch({ path })

let running: BridgeOnServer | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

const names = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `x${from + index}`)

describe('the bridge against an API server', () => {
  test('emits existing objects at the start, and each later change', async () => {
    running = await bridgeOnServer()
    const { clock, events, create } = running
    for (const name of names(3)) await create(name)
    await clock.advance(0)
    expect(events.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      'x0 annotation',
      'x1 annotation',
      'x2 annotation',
    ])
  })

  test.each<[string, (server: ApiServer) => void | Promise<void>]>([
    ['closes the watches', server => server.dropWatches('close')],
    ['breaks the connections of the watches', server => server.dropWatches('disconnect')],
    [
      'breaks the watches, and has forgotten what came since when they resume',
      async server => {
        server.dropWatches('disconnect')
        await running?.create('missed')
        server.compact()
      },
    ],
    [
      'answers the next watches with 500',
      server => {
        server.dropWatches('disconnect')
        server.faults.add({ effect: { kind: 'answer', code: 500 }, times: 9, matches: isWatch })
      },
    ],
    [
      'does not know the token for a while',
      server => {
        server.dropWatches('close')
        server.faults.add({ effect: { kind: 'answer', code: 401, reason: 'Unauthorized' }, times: 12 })
      },
    ],
    [
      'answers watches and lists with 410 and 500 in turn',
      server => {
        server.dropWatches('disconnect')
        server.faults.add({
          effect: { kind: 'answer', code: 410, reason: 'Expired' },
          times: 3,
          matches: isWatch,
        })
        server.faults.add({ effect: { kind: 'answer', code: 500 }, times: 3, matches: isRecordList })
      },
    ],
    [
      'asks to come later',
      server => {
        server.dropWatches('close')
        server.faults.add({ effect: { kind: 'answer', code: 429, retryAfterSeconds: 3 }, times: 12 })
      },
    ],
    [
      'takes the watches and never answers them',
      server => {
        server.dropWatches('close')
        server.faults.add({ effect: { kind: 'hang' }, times: 3, matches: isWatch })
      },
    ],
  ])('loses and repeats nothing when it %s', async (_, fault) => {
    running = await bridgeOnServer()
    const { clock, server, kubernetes, events, create } = running
    for (const name of names(10)) await create(name)
    await clock.advance(0)
    await fault(server)
    for (const name of names(10, 10)) {
      await creation(running, name)
      await clock.advance(50)
    }
    await clock.advance(85_000)
    await create('last')
    await clock.advance(0)
    const { items } = await kubernetes.list(kinds.DNSRecord.resource)
    expect(items.length).toBeGreaterThanOrEqual(21)
    expect(events.map(({ name }) => name).sort()).toEqual(items.map(({ metadata }) => metadata.name).sort())
  })

  test('loses nothing when it is frozen for 60 s', async () => {
    running = await bridgeOnServer()
    const { clock, server, events, create } = running
    await create('before')
    await clock.advance(0)
    server.faults.freeze()
    const created = create('during')
    await clock.advance(20_000)
    server.faults.thaw()
    await created
    await clock.advance(0)
    server.faults.freeze()
    await clock.advance(60_000)
    server.faults.thaw()
    await create('after')
    await clock.advance(10_000)
    expect(events.map(({ name }) => name)).toEqual(['before', 'during', 'after'])
  })

  test('closes a watch that is silent for 90 s, and sees the missed changes', async () => {
    running = await bridgeOnServer()
    const { clock, server, events, create } = running
    // Watches stall while the server answers all other requests.
    server.faults.freeze()
    await clock.advance(95_000)
    server.faults.thaw()
    await create('x')
    await clock.advance(1_000)
    expect(events.map(({ name }) => name)).toEqual(['x'])
  })

  test('reads a long list in pages, and restarts if a paging token expires midway', async () => {
    running = await bridgeOnServer(server => {
      server.faults.add({
        effect: { kind: 'answer', code: 422, reason: 'Invalid' },
        times: 100,
        matches: ({ path }) => path.includes('sendInitialEvents='),
      })
      const isSecondPage = ({ path }: { readonly path: string }) =>
        isRecordList({ path }) && path.includes('continue=')
      server.faults.add({
        effect: { kind: 'answer', code: 410, reason: 'Expired' },
        times: 1,
        matches: isSecondPage,
      })
    })
    const { clock, server, events, create } = running
    for (const name of names(1_100)) await create(name)
    // The watch has seen all objects. A relist finds nothing new, but must read all pages.
    await clock.advance(1_000)
    expect(events).toHaveLength(1_100)
    server.requests.clear()
    server.dropWatches('disconnect')
    await create('missed')
    server.compact()
    await clock.advance(10_000)
    const lists = server.requests
      .entries()
      .filter(({ verb, resource }) => verb === 'list' && resource?.startsWith('dnsrecords'))
    expect(
      lists.map(({ path, status }) => [path.includes('limit='), path.includes('continue='), status]),
    ).toEqual([
      [true, false, 200],
      [true, true, 410],
      [false, false, 200],
    ])
    expect(events).toHaveLength(1_101)
  })

  test('makes few requests while nothing happens', async () => {
    running = await bridgeOnServer()
    const { clock, server } = running
    await clock.advance(60_000)
    server.requests.clear()
    await clock.advance(3_600_000)
    // Three watches, each restarted after 5 to 10 minutes.
    expect(server.requests.count({ verb: 'list' })).toBe(0)
    expect(server.requests.count()).toBeLessThanOrEqual(3 * 13)
  })
})

/** Creates an object despite faults that affect every request. */
const creation = async ({ create, clock }: BridgeOnServer, name: string): Promise<void> => {
  let done = false
  let failure: unknown
  const attempt = async () => {
    for (;;) {
      try {
        await create(name)
        done = true
        return
      } catch (error) {
        failure = error
        await clock.sleep(200)
      }
    }
  }
  void attempt()
  for (let round = 0; !done && round < 1_000; round++) await clock.advance(100)
  if (!done) throw failure
}
