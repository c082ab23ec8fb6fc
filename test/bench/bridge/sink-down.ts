import { atMost } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { prepareChanges } from './changes.ts'
import { nowMs } from './lags.ts'

const changes = 200
const perSecond = 10

/** The sink refuses connections for 20 s. All changes happen in that time. */
export const sinkDown = bridgeBenchmark({
  name: 'bridge-sink-down',
  goals: {
    lost: {
      name: `sink down ${changes / perSecond} s, ${changes} changes: lost`,
      unit: 'events',
      target: atMost(0),
      reference: apiServerSource(6),
    },
    behind: { name: 'the same: sink restarted → all events received', unit: 's' },
  },
  measure: async seed => {
    const down = await seed.sink()
    const bridge = await seed.bridge(down.url)
    const changed = await prepareChanges(seed, changes, [bridge])
    down.close()
    await changed.make(perSecond)
    const back = nowMs()
    const sink = await seed.sink(Number(new URL(down.url).port))
    const lost = await changed.lost([sink], 60_000)
    return { lost, behind: ((sink.arrivals.at(-1)?.at ?? back) - back) / 1000 }
  },
})
