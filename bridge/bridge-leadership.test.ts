import { describe, expect, test } from 'vitest'
import type { SendOutcome } from '../shared/events/events.ts'
import type { Leadership } from '../shared/leadership/leadership.ts'
import { inWords, useSeeds } from './testing/test-seed.ts'

const newSeed = useSeeds()

/** A leadership that the test controls. `silently`: like a lease that has expired unnoticed. */
const byHand = () => {
  let leads = false
  let announce: (leading: boolean) => void = () => undefined
  const leadership: Leadership = {
    leading: () => leads,
    run: async (signal, changed) => {
      announce = changed
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    },
  }
  return {
    leadership,
    silently: (leading: boolean) => {
      leads = leading
    },
    set: (leading: boolean) => {
      leads = leading
      announce(leading)
    },
  }
}

describe('a bridge that shares its work', () => {
  test('a standby watches, is ready, and sends nothing', async () => {
    const seed = newSeed()
    seed.put('DNSRecord', 'before')
    const { bridge } = await seed.bridge({ leadership: byHand().leadership })
    seed.put('DNSRecord', 'after', { operation: 'reconcile' })
    await seed.clock.advance(600_000)
    expect(bridge.ready()).toBe(true)
    expect(bridge.stuck()).toEqual([])
    expect(seed.events).toEqual([])
    expect(bridge.waiting().map(({ object, state }) => `${object} ${state}`)).toEqual([
      'shoot--foo--bar/before ready',
      'shoot--foo--bar/after ready',
    ])
  })

  test('a new leader sends open work at once, without reading anything', async () => {
    const seed = newSeed()
    const hand = byHand()
    await seed.bridge({ leadership: hand.leadership })
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    seed.put('DNSRecord', 'done', { operation: 'reconcile' })
    await seed.clock.advance(1_000)
    seed.put('DNSRecord', 'done', { last: { state: 'Succeeded', at: '2026-11-21T12:00:01Z' } })
    await seed.clock.advance(1_000)
    hand.set(true)
    await seed.clock.advance(0)
    expect(inWords(seed.events)).toEqual(['reconcile DNSRecord x (annotation)'])
    expect(seed.kubernetes.gets).toBe(0)
  })

  test('the bridge sends nothing after its lease has expired, even before it is notified', async () => {
    const seed = newSeed()
    const hand = byHand()
    await seed.bridge({ leadership: hand.leadership })
    hand.set(true)
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(0)
    hand.silently(false)
    seed.put('DNSRecord', 'y', { operation: 'reconcile' })
    await seed.clock.advance(600_000)
    expect(inWords(seed.events)).toEqual(['reconcile DNSRecord x (annotation)'])
    hand.set(true)
    await seed.clock.advance(0)
    // x was never claimed.
    expect(seed.events.map(({ name }) => name).toSorted()).toEqual(['x', 'x', 'y'])
  })

  test('requests in flight end when the lease is lost, and waiting ones do not start', async () => {
    const seed = newSeed()
    const hand = byHand()
    const answer = Promise.withResolvers<SendOutcome>()
    seed.sink = () => answer.promise
    await seed.bridge({ leadership: hand.leadership, concurrency: 1 })
    hand.set(true)
    for (const name of ['a', 'b', 'c']) seed.put('DNSRecord', name, { operation: 'reconcile' })
    await seed.clock.advance(0)
    expect(seed.events).toHaveLength(1)
    hand.set(false)
    answer.resolve({ kind: 'accepted' })
    await seed.clock.advance(60_000)
    expect(seed.events).toHaveLength(1)
    expect(seed.observed.filter(({ type }) => type === 'accepted')).toHaveLength(1)
  })

  test('an object that was still being read when the lease ended is not sent', async () => {
    const seed = newSeed()
    const hand = byHand()
    const gate = Promise.withResolvers<void>()
    const { port } = seed.kubernetes
    await seed.bridge({
      leadership: hand.leadership,
      kubernetes: {
        ...port,
        get: async (...of) => {
          await gate.promise
          return port.get(...of)
        },
      },
      unclaimedMs: 1_000,
    })
    hand.set(true)
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    // No function claims it, so it is read and sent again.
    await seed.clock.advance(1_500)
    hand.silently(false)
    gate.resolve()
    await seed.clock.advance(60_000)
    expect(seed.events).toHaveLength(1)
  })

  test('the bridge is stuck if its election loop is, even if the watches continue', async () => {
    const seed = newSeed()
    let elects = true
    let activity = seed.clock.now()
    const leadership: Leadership = {
      ...byHand().leadership,
      lastActivity: () => {
        if (elects) activity = seed.clock.now()
        return activity
      },
    }
    const { bridge } = await seed.bridge({ leadership })
    await seed.clock.advance(600_000)
    expect(bridge.stuck()).toEqual([])
    elects = false
    await seed.clock.advance(400_000)
    expect(bridge.stuck()).toEqual(['the leader election has been inactive for 400 s'])
  })
})
