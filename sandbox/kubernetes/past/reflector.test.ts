import { afterEach, describe, expect, test } from 'vitest'
import type { Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiViewOptions } from '../past/api-view.ts'
import { followThings, runPending, viewWorld } from '../testing/view-fixture.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A world whose things a reflector follows, over its view or another transport. */
const followed = async (options: ApiViewOptions, names: readonly string[], other?: () => Transport) => {
  const world = viewWorld(options)
  for (const name of names) await world.put(name, 1)
  const reflector = followThings(world, other ? request => other()(request) : world.view.transport)
  stops.push(async () => {
    await reflector.stop()
    world.server.close()
    expect(world.clock.pending()).toEqual([])
  })
  await runPending()
  return { ...world, reflector }
}

describe.each(['possible', 'any'] as const)('a reflector, with strictness %s', strictness => {
  test('follows late events in order', async () => {
    const { clock, view, put, remove, reflector } = await followed({ strictness }, ['a', 'b'])
    view.showPast({ lagMs: 5_000 })
    await put('a', 2)
    await remove('b')
    await put('c', 1)
    await clock.advance(4_999)
    expect(reflector.state()).toEqual(['a=1', 'b=1'])
    await clock.advance(1)
    expect(reflector.received.slice(2)).toEqual(['a=2', 'no b', 'c=1'])
  })

  test('recovers from a server that stood still and cut its watches', async () => {
    const { clock, view, put, remove, reflector } = await followed({ strictness }, ['a', 'b'])
    view.showPast({ until: clock.now() + 600_000 })
    await put('a', 2)
    await remove('b')
    await clock.advance(60_000)
    view.cutWatches('disconnect')
    await clock.advance(500_000)
    view.cutWatches('close')
    await clock.advance(200_000)
    expect(reflector.state()).toEqual(['a=2'])
  })

  test('recovers from states that it never saw', async () => {
    const { clock, view, put, remove, reflector } = await followed({ strictness }, ['a', 'b'])
    view.showPast({ to: 'watches', until: clock.now() + 5_000 })
    await put('passing', 1)
    await remove('passing')
    await put('a', 2)
    await put('a', 3)
    await remove('b')
    await put('b', 4)
    view.cutWatches('expire')
    await clock.advance(10_000)
    expect(reflector.state()).toEqual(['a=3', 'b=4'])
    expect(reflector.received).not.toContain('passing=1')
    expect(reflector.received).not.toContain('a=2')
    // The object that was deleted and created again has another uid.
    expect(reflector.received).toContain('no b')
  })

  test('recovers from a change to a server that lags, and back', async () => {
    let transport: Transport = async () => ({ status: 500, headers: {}, body: [] as never })
    const world = await followed({ strictness }, [], () => transport)
    const { server, clock, view: behind, put, remove, reflector } = world
    const ahead = server.view({ strictness })
    transport = ahead.transport
    await put('a', 1)
    await put('b', 1)
    await clock.advance(20_000)
    behind.showPast({})
    await put('a', 2)
    await remove('b')
    await clock.advance(1_000)
    expect(reflector.state()).toEqual(['a=2'])
    transport = behind.transport
    ahead.cutWatches('disconnect')
    await clock.advance(300_000)
    await put('a', 3)
    behind.release()
    await clock.advance(300_000)
    expect(reflector.state()).toEqual(['a=3'])
  })

  test.each([
    ['whose versions go back', undefined],
    ['whose versions are bumped', { bumpRevision: 1_000 }],
  ])('recovers from an etcd that was restored from a backup, %s', async (_, restore) => {
    const { server, clock, put, remove, reflector } = await followed({ strictness }, ['a', 'b'])
    const backup = server.backUp()
    await put('a', 2)
    await remove('b')
    await put('created', 1)
    await runPending()
    expect(reflector.state()).toEqual(['a=2', 'created=1'])
    server.restore(backup, restore)
    // Without a bump, this version was already given to another state.
    await put('a', 7)
    await clock.advance(300_000)
    expect(reflector.state()).toEqual(['a=7', 'b=1'])
  })
})

describe('a reflector, with strictness any', () => {
  test('recovers from a first list of the past', async () => {
    let transport: Transport | undefined
    const world = await followed({ strictness: 'any' }, [], () => {
      if (!transport) throw new Error('not yet')
      return transport
    })
    const { clock, view, put, remove, reflector } = world
    await put('a', 1)
    await put('b', 1)
    const release = view.showPast({})
    await put('a', 2)
    await remove('b')
    transport = view.transport
    await clock.advance(20_000)
    expect(reflector.state()).toEqual(['a=1', 'b=1'])
    release()
    await clock.advance(1_000)
    expect(reflector.state()).toEqual(['a=2'])
  })

  test('sees older versions again after a reconnection, and then the present', async () => {
    const { server, clock, view, put, reflector } = await followed({ strictness: 'any' }, ['a'])
    const version = server.store.version()
    await put('a', 2)
    await put('a', 3)
    await runPending()
    view.showPast({ version, until: clock.now() + 5_000 })
    view.cutWatches('disconnect')
    await clock.advance(10_000)
    expect(reflector.received).toEqual(['a=1', 'a=2', 'a=3', 'a=2', 'a=3'])
  })

  test.each([
    ['the next event of the object', (world: ReturnType<typeof viewWorld>) => world.put('a', 3)],
    [
      'the next list',
      async ({ view, put }: ReturnType<typeof viewWorld>) => {
        view.skipEvents({ name: 'c' })
        await put('c', 1)
        view.cutWatches('expire')
      },
    ],
  ])('recovers from a lost event by %s', async (_, heal) => {
    const world = await followed({ strictness: 'any' }, ['a'])
    const { clock, view, put, listed, reflector } = world
    view.skipEvents({ name: 'a' })
    await put('a', 2)
    await put('b', 1)
    await runPending()
    expect(reflector.state()).toEqual(['a=1', 'b=1'])
    await heal(world)
    await clock.advance(10_000)
    expect(reflector.state()).toEqual(await listed())
  })
})
