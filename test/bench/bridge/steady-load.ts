import { kinds } from '../../../shared/contract/kinds.ts'
import { keyOf } from '../../../shared/kubernetes/kubernetes.ts'
import { atMost, below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { createAndReceive, lagsOf } from './lags.ts'
import { newObjects } from './objects.ts'
import { inParallel } from './pace.ts'
import type { BridgeSeed } from './seed.ts'

const objects = 5_000
const perSecond = 430
/** Concurrent deletions after a measurement. */
const deleters = 16

/** Creates as many new objects a second as in the measurement of ApiServerSource, for about twelve seconds. */
export const steadyLoad = bridgeBenchmark({
  name: 'bridge-load',
  goals: {
    cpu: {
      name: `${objects} created at ${perSecond}/s: processor time of the bridge for an object`,
      unit: 'ms CPU',
      target: atMost(0.75),
      reference: apiServerSource(0.74),
      with: 'including the health checks of one in four objects',
    },
    behind: {
      name: 'longest delay of an event',
      unit: 'ms',
      target: below(1_000),
      with: "from the API server's answer to the sink",
    },
  },
  measure: async seed => {
    const { cpuMsPerEvent, behind } = await underLoad(seed)
    return { cpu: cpuMsPerEvent, behind }
  },
})

/** Measures a bridge under this load, and removes the objects again. `program`: the file of another bridge. */
export const underLoad = async (seed: BridgeSeed, program?: string) => {
  const sink = await seed.sink()
  const bridge = await seed.bridge(sink.url, {}, program)
  const created = newObjects('load', objects)
  const before = await bridge.usage()
  const answered = await createAndReceive(seed, sink, created, perSecond)
  const { cpuMs, residentMb } = await bridge.usage()
  await bridge.end('SIGTERM')
  sink.close()
  await inParallel(created, deleters, ({ kind, object }) =>
    seed.kubernetes.delete(kinds[kind].resource, keyOf(object)),
  )
  return {
    cpuMsPerEvent: (cpuMs - before.cpuMs) / objects,
    residentMb,
    behind: Math.max(...lagsOf(sink, answered)),
  }
}
