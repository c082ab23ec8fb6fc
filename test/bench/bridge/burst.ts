import { setTimeout as sleep } from 'node:timers/promises'
import { kinds } from '../../../shared/contract/kinds.ts'
import { keyOf } from '../../../shared/kubernetes/kubernetes.ts'
import { atMost } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { completedObjects, request } from './objects.ts'

const changes = 50
/** By then, every event that precedes the end of the claim's wait is sent. */
const watchedMs = 10_000

/** One object is requested again and again, faster than any function can act. */
export const burst = bridgeBenchmark({
  name: 'bridge-burst',
  goals: {
    events: {
      name: `one object changed ${changes} times in a burst`,
      unit: 'events',
      target: atMost(2),
      reference: apiServerSource(50),
    },
  },
  measure: async seed => {
    const sink = await seed.sink()
    const objects = completedObjects('burst', 1)
    await seed.store(objects)
    await seed.bridge(sink.url)
    for (const { kind, object } of objects) {
      for (let nth = 0; nth < changes; nth++) {
        await seed.kubernetes.patch(kinds[kind].resource, keyOf(object), request(nth))
      }
    }
    await sleep(watchedMs)
    if (sink.arrivals.length === 0) throw new Error('no event came')
    return { events: sink.arrivals.length }
  },
})
