import { afterEach, expect, test } from 'vitest'
import { accountRates } from '../../sandbox/providers/aws/simulator/aws.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { type LiveRecord, newAws, startTestSeed, type TestSeed, type TestSeedOptions } from './harness.ts'

const seeds: TestSeed[] = []
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

/** Starts a seed on a clock that advances only on request. `isLimited`: with AWS's rates, which the function knows. */
const start = async ({ isLimited = false } = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const limits: Partial<TestSeedOptions> = isLimited
    ? { aws: newAws({ clock, rates: accountRates }), route53PerSecond: 5 }
    : {}
  const seed = await startTestSeed({ kinds: ['DNSRecord'], clock, ...limits })
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

test('a record that AWS throttles waits without an error, says so, and is created when AWS permits', async () => {
  const { seed, clock } = await start()
  seed.aws.faults.add({ service: 'route53', times: null, effect: { kind: 'throttle' } })
  await seed.create('api')
  const waits = seed.until('the record to wait', () =>
    descriptionOf(seed, 'api').startsWith('Waiting') ? true : undefined,
  )
  await pass(clock, waits, 20)
  expect(descriptionOf(seed, 'api')).toMatch(
    /^Waiting about \d+ s for its turn at Route 53: .* because AWS throttles the account$/,
  )
  expect(seed.live('api')?.status?.lastError).toBeUndefined()
  expect(seed.records()).toEqual([])
  seed.aws.faults.clear()
  await pass(clock, seed.untilReady('api'), 100)
  expect(seed.records()).toEqual(['A api.rose.example.com. 120 203.0.113.10'])
  expect(statesOf(seed)).not.toContain('Error')
})

test('200 new records at once stay within the limit of the account, and none of them fails', async () => {
  const { seed, clock } = await start({ isLimited: true })
  const names = Array.from({ length: 200 }, (_, index) => `record-${index}`)
  const began = clock.now()
  await Promise.all(names.map(name => seed.create(name)))
  const ready = seed.until(
    'all records to be ready',
    () => (names.every(name => stateOf(seed, name) === 'Succeeded') ? true : undefined),
    60_000,
  )
  await pass(clock, ready, 20)
  expect(seed.records()).toHaveLength(200)
  // Separate calls would take 80 s. The virtual clock advances in real time, so a busy machine needs more of it.
  expect(clock.now() - began).toBeLessThanOrEqual(80_000)
  expect(seed.actions().length).toBeLessThanOrEqual(100)
  expect(new Set(statesOf(seed))).toEqual(new Set([undefined, 'Processing', 'Succeeded']))
})

const statesOf = (seed: TestSeed) =>
  seed.observed.flatMap(event =>
    event.part === 'object' && event.resource === 'dnsrecords.extensions.gardener.cloud'
      ? [(event.object as LiveRecord).status?.lastOperation?.state]
      : [],
  )
