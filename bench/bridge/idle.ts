import { setTimeout as sleep } from 'node:timers/promises'
import { below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { settledObjects } from './objects.ts'

const objects = 5_000
/** After the first list: until everything is compiled that will be, and collected. */
const settlingMs = 5_000
const watchedMs = 20_000

/** What the bridge takes while nothing happens. */
export const idle = bridgeBenchmark({
  name: 'bridge-idle',
  goals: {
    resident: {
      name: `idle with ${objects} objects: resident memory`,
      unit: 'MB',
      target: below(110),
      reference: apiServerSource(189),
    },
    share: { name: 'the same: share of a core', unit: '% of a core', target: below(0.5) },
  },
  measure: async seed => {
    const sink = await seed.sink()
    await seed.store(settledObjects('idle', objects))
    const bridge = await seed.bridge(sink.url)
    await sleep(settlingMs)
    const before = await bridge.usage()
    await sleep(watchedMs)
    const after = await bridge.usage()
    if ((await bridge.metric('trellis_bridge_watched_objects')) !== objects)
      throw new Error('some are not watched')
    return {
      resident: after.residentMb,
      share: ((after.cpuMs - before.cpuMs) / watchedMs) * 100,
    }
  },
})
