import { afterEach, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../shared/clock/virtual-clock.ts'
import { newAws, startTestSeed, type TestSeed, type TestSeedOptions } from './harness.ts'

const seeds: TestSeed[] = []
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

/** A seed on a clock that moves only when it is told to. */
const start = async (options: TestSeedOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const seed = await startTestSeed({ kinds: ['DNSRecord'], clock, ...options })
  seeds.push(seed)
  return { seed, clock }
}

/** Moves the clock in small steps, with turns for the sockets between them, until the wait is over. */
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

const stateOf = (seed: TestSeed, name: string) => seed.live(name)?.status?.lastOperation?.state

test('a record that AWS throttles fails without a code that would stop the shoot, and is made 30 s later', async () => {
  const { seed, clock } = await start()
  // The SDK tries three times in a step; each wait of its own is real.
  seed.aws.faults.add({
    service: 'route53',
    action: 'ChangeResourceRecordSets',
    times: 3,
    effect: { kind: 'throttle' },
  })
  await seed.create('api')
  const failed = await pass(clock, seed.untilError('api'))
  expect(failed.status?.lastError?.description).toContain('Throttling: Rate exceeded')
  // ERR_INFRA_RATE_LIMITS_EXCEEDED would make gardenlet give up (contract, lifecycle §8.1).
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

test("records beyond the process's own rate wait 30 s without a call, and all are made in the end", async () => {
  const { seed, clock } = await start({
    functionSettings: { clientQps: 1, clientBurst: 4, waitTimeoutMs: 0 },
    aws: newAws({}),
  })
  const names = ['one', 'two', 'three', 'four']
  await Promise.all(names.map(name => seed.create(name)))
  const settled = seed.until('every record to be done or put off', () =>
    names.every(name => ['Succeeded', 'Error'].includes(stateOf(seed, name) ?? '')) ? true : undefined,
  )
  await pass(clock, settled)
  const putOff = names.filter(name => stateOf(seed, name) === 'Error')
  // Four turns are two records: each reads and changes.
  expect(putOff).toHaveLength(2)
  expect(seed.changes()).toHaveLength(2)
  await pass(clock, Promise.all(names.map(name => seed.untilReady(name))), 100)
  expect(seed.changes()).toHaveLength(4)
  expect(seed.records()).toHaveLength(4)
})
