import { startBenchSeed } from './bench-seed.ts'
import { type Benchmark, below, percentile } from './figure.ts'

const records = 100
const rounds = 3

/**
 * Measures the time from the annotation to Succeeded, everything in one process: first one record after the other, then
 * all at once.
 */
export const annotationToSucceeded: Benchmark = {
  name: 'latency',
  run: async () => {
    const { seed, create, reconcile } = await startBenchSeed()
    try {
      const all = Array.from({ length: records }, (_, index) => index)
      await create(all)
      const single: number[] = []
      for (let nth = 1; nth <= rounds; nth++)
        for (const index of all) single.push(await reconcile(index, nth, 'changed'))
      const together = await Promise.all(all.map(index => reconcile(index, rounds + 1, 'changed')))
      const circumstances = `${records} records, each changed; API server, bridge, broker, function and AWS in one process; Route 53 without a rate limit`
      return [
        {
          name: 'annotation → Succeeded, p50',
          value: percentile(single, 0.5),
          unit: 'ms',
          target: below(50),
          with: circumstances,
        },
        { name: 'annotation → Succeeded, p99', value: percentile(single, 0.99), unit: 'ms' },
        {
          name: 'the same, all annotated at once, p50',
          value: percentile(together, 0.5),
          unit: 'ms',
        },
        { name: 'the same, all annotated at once, p99', value: percentile(together, 0.99), unit: 'ms' },
      ]
    } finally {
      await seed.close()
    }
  },
}
