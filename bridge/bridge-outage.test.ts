import { expect, test } from 'vitest'
import { useSeeds } from './testing/test-seed.ts'

const newSeed = useSeeds()
const minutes = 5

test('a sink that is down for five minutes with 2,000 waiting objects costs little, and receives all of them, the fresh ones first', async () => {
  const seed = newSeed()
  seed.sink = () => ({ kind: 'retry', reason: 'refused' })
  for (let index = 0; index < 1_800; index++)
    seed.put('DNSRecord', `old-${index}`, { operation: 'reconcile' })
  for (let index = 0; index < 200; index++)
    seed.put('BackupBucket', `old-b-${index}`, { operation: 'reconcile' })
  const { bridge } = await seed.bridge()
  const counts = () => {
    let queued = 0
    for (const count of bridge.counts().values()) queued += count.queued + count.inFlight
    return queued
  }
  for (let minute = 0; minute < minutes; minute++) {
    // The same objects change again and again; their number does not grow.
    for (let index = 0; index < 100; index++) {
      seed.put('DNSRecord', `fresh-${index}`, {
        operation: 'reconcile',
        timestamp: `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000000001Z`,
      })
    }
    await seed.clock.advance(60_000)
    expect(counts()).toBe(2_100)
    expect(bridge.waiting()).toHaveLength(2_100)
    // The clock has one timer for the queue, and one or two for each watch.
    expect(seed.clock.pending().length).toBeLessThan(20)
  }
  // One attempt every 200 to 250 ms, however many objects and kinds wait.
  expect(seed.events.length).toBeLessThan(minutes * 60 * 5 + 64)
  expect(bridge.ready()).toBe(true)
  expect(bridge.stuck()).toEqual([])
  const broken = seed.observed.filter(event => event.type === 'restarted' && event.reason !== 'idle')
  expect(broken, 'watches that were closed').toEqual([])

  seed.sink = () => ({ kind: 'accepted' })
  await seed.clock.advance(80_000)
  const accepted = seed.observed.flatMap(event => (event.type === 'accepted' ? [event.object] : []))
  expect(new Set(accepted).size).toBe(2_100)
  expect(accepted).toHaveLength(2_100)
  // Objects in backoff when the sink is back are sent first; all others wait for the fresh ones.
  const first = accepted.slice(0, 200).filter(object => object.includes('fresh-'))
  expect(first).toHaveLength(100)
  expect(bridge.waiting().every(({ why }) => why === 'claim awaited')).toBe(true)
})
