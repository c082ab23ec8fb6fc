import { atMost, below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { createAndReceive, lagsOf } from './lags.ts'
import { newObjects } from './objects.ts'

const objects = 5_000
const perSecond = 430

/** Creates as many new objects a second as in the measurement of ApiServerSource, for about twelve seconds. */
export const steadyLoad = bridgeBenchmark({
  name: 'bridge-load',
  goals: {
    cpu: {
      name: `${objects} created at ${perSecond}/s: processor time of the bridge for an event`,
      unit: 'ms CPU',
      target: atMost(0.75),
      reference: apiServerSource(0.74),
      with: 'for each work event, including the health checks of one in four objects',
    },
    behind: {
      name: 'the same: longest delay of an event',
      unit: 'ms',
      target: below(1_000),
      with: "from the API server's answer to the sink",
    },
  },
  measure: async seed => {
    const sink = await seed.sink()
    const bridge = await seed.bridge(sink.url)
    const before = await bridge.usage()
    const answered = await createAndReceive(seed, sink, newObjects('load', objects), perSecond)
    const after = await bridge.usage()
    return {
      cpu: (after.cpuMs - before.cpuMs) / objects,
      behind: Math.max(...lagsOf(sink, answered)),
    }
  },
})
