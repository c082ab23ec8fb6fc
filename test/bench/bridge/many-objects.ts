import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, below } from '../figure.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { type BenchObject, completedObjects, storedObjects } from './objects.ts'
import type { BridgeSeed } from './seed.ts'

const objects = 50_000
/** Written in parts, so that this process stays small too. */
const part = 5_000

const storeAll = async (
  seed: BridgeSeed,
  make: (prefix: string, count: number) => readonly BenchObject[],
) => {
  for (let start = 0; start < objects; start += part) await seed.store(make(`many-${start}`, part))
}

/** A very large seed in which every object is healthy. */
export const manyCompleted = bridgeBenchmark({
  name: 'bridge-many-settled',
  goals: {
    resident: {
      name: `${objects} objects that need no work: resident memory`,
      unit: 'MB',
      target: below(200),
    },
    peak: { name: 'the same, peak since the start', unit: 'MB', target: below(200) },
    listed: { name: 'the same, from the start of the process until all are listed', unit: 's' },
    listing: { name: 'the same, processor time of that', unit: 'ms CPU' },
  },
  measure: async seed => {
    const sink = await seed.sink()
    await storeAll(seed, completedObjects)
    const began = performance.now()
    const bridge = await seed.bridge(sink.url)
    const listed = (performance.now() - began) / 1000
    const { cpuMs } = await bridge.usage()
    await sleep(2_000)
    const { residentMb, peakMb } = await bridge.usage()
    return { resident: residentMb, peak: peakMb, listed, listing: cpuMs }
  },
})

/** The worst case: every object needs work, and no function claims any. */
export const manyUnclaimed = bridgeBenchmark({
  name: 'bridge-many-unclaimed',
  goals: {
    peak: {
      name: `${objects} objects that all need work, none claimed: peak resident memory`,
      unit: 'MB',
      target: below(200),
      with: 'each sent once, and waiting for its claim',
    },
    unseen: { name: 'the same: objects without an event', unit: 'events', target: atMost(0) },
  },
  measure: async seed => {
    const sink = await seed.sink()
    await storeAll(seed, storedObjects)
    const bridge = await seed.bridge(sink.url, { TRELLIS_INITIAL_PER_SECOND: '100000' })
    await Promise.race([sink.until(() => sink.arrivals.length >= objects), sleep(80_000)])
    return {
      peak: (await bridge.usage()).peakMb,
      unseen: objects - new Set(sink.arrivals.map(({ name }) => name)).size,
    }
  },
})
