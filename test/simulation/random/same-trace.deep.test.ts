import { expect, test } from 'vitest'
import { createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import {
  type DeliveryName,
  type Fate,
  loadSimulatedCode,
  type Random,
  type SimulatedCode,
  simulate,
} from '../../../sandbox/simulation/simulation.ts'
import { isNight } from '../../cases/share.ts'

const deliveries: readonly DeliveryName[] = ['in-memory', 'kafka', 'rabbitmq', 'nats', 'seed process']

const anyFate = (random: Random): Fate => {
  const chosen = random.int(100)
  if (chosen < 4) return { kind: 'crash', when: random.pick(['before', 'after']) }
  if (chosen < 7) return { kind: 'lost' }
  if (chosen < 10) return { kind: 'refused', status: random.pick([409, 429, 500, 503]) }
  return { kind: 'pass', beforeMs: random.int(50), afterMs: random.int(50) }
}

/** Creates a bucket in a seed with faults, and returns the hash of the trace. */
const hashOf = (code: SimulatedCode, number: number): Promise<string> =>
  simulate(
    {
      seed: String(number),
      code,
      cloud: createAwsSide,
      delivery: deliveries[number % deliveries.length] ?? 'kafka',
      fates:
        ({ random }) =>
        () =>
          anyFate(random),
      trace: { retained: 0 },
    },
    async ({ first, clock, trace }) => {
      const stop = new AbortController()
      const preparing = first.gardenlet(stop.signal).prepareSeed()
      preparing.catch(() => {})
      await clock.sleep(15_000)
      stop.abort()
      return trace.hash()
    },
  )

const count = isNight ? 1_000 : 100
/** 2,000 runs take two minutes of a free core. */
const limit = { timeout: 3_600_000 }

test(`each of ${count} seeds gives the same trace twice, and nearly all traces differ`, limit, async () => {
  const code = await loadSimulatedCode()
  const hashes = new Set<string>()
  const different: number[] = []
  for (let number = 0; number < count; number++) {
    const hash = await hashOf(code, number)
    hashes.add(hash)
    if ((await hashOf(code, number)) !== hash) different.push(number)
  }
  expect(different).toEqual([])
  expect(hashes.size).toBeGreaterThan(count * 0.99 - 1)
})
