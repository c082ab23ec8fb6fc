import { expect, test } from 'vitest'
import { claimed, inWords, succeeded, useSeeds } from '../testing/test-seed.ts'
import { createCore } from './create-core.ts'

const newSeed = useSeeds()
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

test('the core sends, repeats and ends without any observer', async () => {
  const seed = newSeed()
  const core = createCore({
    kubernetes: seed.kubernetes.port,
    send: async (event, signal) => {
      seed.events.push(event)
      return seed.sink(event, signal)
    },
    clock: seed.clock,
    log: silent,
    selection: {
      kinds: ['DNSRecord', 'Worker'],
      classes: ['shoot'],
      namespaces: [],
    },
    source: '/seeds/test',
  })
  const controller = new AbortController()
  let ended = false
  const running = core.run(controller.signal).then(() => {
    ended = true
  })
  await seed.clock.advance(0)
  expect(core.ready()).toBe(true)
  expect(core.counts().get('Worker')).toEqual({
    ...{ watched: 0, queued: 0, inFlight: 0, open: 0, unclaimed: 0, held: 0, paused: 0, parked: 0 },
    oldestSince: undefined,
  })

  seed.put('DNSRecord', 'x', { operation: 'reconcile' })
  await seed.clock.advance(90_000)
  expect(inWords(seed.events)).toEqual(Array(2).fill('reconcile DNSRecord x (annotation)'))
  expect(core.waiting()).toMatchObject([
    { object: expect.stringMatching(/x$/), why: expect.stringMatching(/^sent 2 times/) },
  ])
  seed.put('DNSRecord', 'x', claimed(seed.events[0]))
  seed.put('DNSRecord', 'x', { last: succeeded })
  await seed.clock.advance(0)
  expect(core.waiting()).toEqual([])
  expect(core.stuck()).toEqual([])

  controller.abort()
  while (!ended) await seed.clock.advance(500)
  await running
})
