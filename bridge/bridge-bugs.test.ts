import { describe, expect, test } from 'vitest'
import { useSeeds } from './testing/test-seed.ts'

const newSeed = useSeeds()

describe('a bug in the bridge', () => {
  test('a bug in one object does not delay others, and that object is processed again', async () => {
    const seed = newSeed()
    let isBroken = true
    const namespaces = ['any', 'other']
    // Represents any code that reads an object.
    namespaces.includes = name => {
      if (isBroken && name === 'bad') throw new TypeError('a bug')
      return true
    }
    await seed.bridge({
      selection: { kinds: ['DNSRecord'], classes: ['shoot'], namespaces },
    })
    seed.put('DNSRecord', 'bad', { operation: 'reconcile', namespace: 'bad' })
    seed.put('DNSRecord', 'good', { operation: 'reconcile' })
    await seed.clock.advance(0)
    expect(seed.events.map(({ name }) => name)).toEqual(['good'])
    await seed.clock.advance(60_000)
    expect(seed.events.map(({ name }) => name)).toEqual(['good'])
    expect(seed.observed).toContainEqual(expect.objectContaining({ type: 'restarted', reason: 'unhandled' }))
    isBroken = false
    await seed.clock.advance(60_000)
    expect(seed.events.filter(({ name }) => name === 'bad')).toHaveLength(1)
  })

  test('a bug in an observer changes nothing', async () => {
    const seed = newSeed()
    await seed.bridge({
      observers: [
        {
          event: () => {
            throw new TypeError('a bug')
          },
        },
      ],
    })
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(1_000)
    expect(seed.events).toHaveLength(1)
  })

  test('a bug in the sender is handled like a sink that rejects the event', async () => {
    const seed = newSeed()
    let isBroken = true
    seed.sink = () => {
      if (isBroken) throw new TypeError('a bug')
      return { kind: 'accepted' }
    }
    await seed.bridge()
    seed.put('DNSRecord', 'x', { operation: 'reconcile' })
    await seed.clock.advance(5_000)
    isBroken = false
    await seed.clock.advance(30_000)
    expect(seed.observed.filter(({ type }) => type === 'accepted')).toHaveLength(1)
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(1)
  })
})
