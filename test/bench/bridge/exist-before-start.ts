import { atMost } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { completedObjects, storedObjects } from './objects.ts'
import { until } from './pace.ts'

const open = 1_000

/** Objects changed while no bridge ran. */
export const existBeforeStart = bridgeBenchmark({
  name: 'bridge-existing',
  goals: {
    unseen: {
      name: `${open} objects need work before the start: without an event`,
      unit: 'events',
      target: atMost(0),
      reference: apiServerSource(1_000),
    },
    needless: {
      name: `the same, beside ${open} that need no work: events for these`,
      unit: 'events',
      target: atMost(0),
    },
  },
  measure: async seed => {
    await seed.store([...storedObjects('open', open), ...completedObjects('settled', open)])
    const sink = await seed.sink()
    const bridge = await seed.bridge(sink.url)
    await until(
      'the queue to be empty',
      async () => (await bridge.metric('trellis_bridge_queue_depth')) === 0,
    )
    const names = [...new Set(sink.arrivals.map(({ name }) => name))]
    const seen = names.filter(name => name.startsWith('open-')).length
    return { unseen: open - seen, needless: names.length - seen }
  },
})
