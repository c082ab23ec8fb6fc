import { afterEach, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { type LiveRecord, newAws, startTestSeed, type TestSeed, type TestSeedOptions } from './harness.ts'

const seeds: TestSeed[] = []
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

/** Starts a seed on a clock that advances only on request. */
const start = async (options: TestSeedOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const seed = await startTestSeed({ kinds: ['DNSRecord'], clock, ...options })
  seeds.push(seed)
  return { seed, clock }
}

/** Advances the clock in small steps until the wait ends, with event loop iterations for the sockets in between. */
const pass = async <T>(clock: VirtualClock, wait: Promise<T>, stepMs = 1): Promise<T> => {
  let over = false
  const end = () => {
    over = true
  }
  wait.then(end, end)
  while (!over) {
    await clock.advance(stepMs)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  return wait
}

const descriptionOf = (seed: TestSeed, name: string): string =>
  seed.live(name)?.status?.lastOperation?.description ?? ''

const stateOf = (seed: TestSeed, name: string) => seed.live(name)?.status?.lastOperation?.state

test('a record that AWS throttles fails without a code that would stop the shoot, and is created 30 s later', async () => {
  const { seed, clock } = await start()
  // The SDK makes three attempts in a step. Its own waits use real time.
  seed.aws.faults.add({
    service: 'route53',
    action: 'ChangeResourceRecordSets',
    times: 3,
    effect: { kind: 'throttle' },
  })
  await seed.create('api')
  const failed = await pass(clock, seed.untilError('api'))
  expect(failed.status?.lastError?.description).toContain('Throttling: Rate exceeded')
  // ERR_INFRA_RATE_LIMITS_EXCEEDED would make gardenlet stop (docs/contract/lifecycle.md#error-codes).
  expect(failed.status?.lastError?.codes).toBeUndefined()
  expect(seed.records()).toEqual([])
  seed.aws.calls.clear()

  await clock.advance(29_000)
  expect(stateOf(seed, 'api')).toBe('Error')
  expect(seed.actions()).toEqual([])
  const live = await pass(clock, seed.untilReady('api'), 100)
  expect(live.status?.lastError).toBeUndefined()
  expect(seed.records()).toEqual(['A api.rose.example.com. 120 203.0.113.10'])
  expect(seed.changes()).toHaveLength(1)
})

test('records beyond the process’s own rate limit wait without a call or an error', async () => {
  const { seed, clock } = await start({
    functionSettings: { clientQps: 1, clientBurst: 4, waitTimeoutMs: 0 },
    aws: newAws({}),
  })
  const names = ['one', 'two', 'three', 'four']
  await Promise.all(names.map(name => seed.create(name)))
  const settled = seed.until('every record to be done or put off', () =>
    names.every(
      name => stateOf(seed, name) === 'Succeeded' || descriptionOf(seed, name).startsWith('Waiting'),
    )
      ? true
      : undefined,
  )
  await pass(clock, settled)
  const putOff = names.filter(name => stateOf(seed, name) === 'Processing')
  // Four calls are allowed at once: a read and a change for each of two records.
  expect(putOff).toHaveLength(2)
  expect(seed.changes()).toHaveLength(2)
  for (const name of putOff) {
    expect(seed.live(name)?.status?.lastError).toBeUndefined()
    expect(descriptionOf(seed, name)).toMatch(/^Waiting about \d+ s for the Route 53 rate limit/)
  }
  await pass(clock, Promise.all(names.map(name => seed.untilReady(name))), 100)
  expect(seed.changes()).toHaveLength(4)
  expect(seed.records()).toHaveLength(4)
})

test('200 new records with one key stay within the rate, finish in a small multiple of it, and have no error', async () => {
  const { seed, clock } = await start({
    functionSettings: { clientQps: 1, clientBurst: 5 },
    aws: newAws({}),
  })
  const count = 200
  const names = Array.from({ length: count }, (_, index) => `record-${index}`)
  const began = clock.now()
  await Promise.all(names.map(name => seed.create(name)))
  const asked = seed.until('all records to be asked for', () =>
    names.every(name => ['Succeeded', 'Processing'].includes(stateOf(seed, name) ?? '')) ? true : undefined,
  )
  await pass(clock, asked)
  const ready = seed.until(
    'all records to be ready',
    () => (names.every(name => stateOf(seed, name) === 'Succeeded') ? true : undefined),
    60_000,
  )
  await pass(clock, ready, 500)
  // Each record needs a read and a change. Five calls are allowed at once, then one per second.
  const allowedMs = (2 * count - 5) * 1_000
  // The virtual clock advances in real time, so a busy machine needs more of it. A quiet one stays below 1.2 times.
  expect(clock.now() - began).toBeLessThanOrEqual(4 * allowedMs)
  expect(clock.now() - began).toBeGreaterThanOrEqual(0.98 * allowedMs)
  expect(seed.changes()).toHaveLength(count)
  expect(seed.observed.filter(({ part }) => part === 'step').length).toBeLessThanOrEqual(5 * count)
  const states = seed.observed.flatMap(event =>
    event.part === 'object' && event.resource === 'dnsrecords.extensions.gardener.cloud'
      ? [(event.object as LiveRecord).status?.lastOperation?.state]
      : [],
  )
  expect(new Set(states)).toEqual(new Set([undefined, 'Processing', 'Succeeded']))
})
