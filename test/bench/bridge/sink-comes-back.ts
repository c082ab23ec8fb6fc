import { above, atMost } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { nowMs } from './lags.ts'
import { newObjects } from './objects.ts'
import { until } from './pace.ts'

const events = 5_000

/** The sink refuses connections while events queue up; then it accepts them again. */
export const sinkComesBack = bridgeBenchmark({
  name: 'bridge-waiting',
  goals: {
    rate: {
      name: `${events} waiting events to a restarted sink`,
      unit: 'events/s',
      target: above(2_500),
      reference: apiServerSource(1_315),
      with: 'from the first event after the outage to the last',
    },
    sinceBack: { name: 'the same, from the moment the sink listens', unit: 's' },
    cpu: { name: 'the same, processor time of the bridge for an event', unit: 'ms CPU' },
    peak: {
      name: 'peak resident memory meanwhile',
      unit: 'MB',
      target: atMost(150),
      reference: apiServerSource(59),
    },
  },
  measure: async seed => {
    const down = await seed.sink()
    const bridge = await seed.bridge(down.url)
    down.close()
    await seed.create(newObjects('waiting', events))
    await until('the bridge to have seen them', async () => {
      const [waiting, inFlight] = await Promise.all(
        ['trellis_bridge_queue_depth', 'trellis_bridge_in_flight'].map(bridge.metric),
      )
      return (waiting ?? 0) + (inFlight ?? 0) === events
    })
    const before = await bridge.usage()
    const back = nowMs()
    const sink = await seed.sink(Number(new URL(down.url).port))
    await sink.until(() => sink.arrivals.length >= events)
    const [first, last] = [sink.arrivals[0]?.at ?? 0, sink.arrivals[events - 1]?.at ?? 0]
    const after = await bridge.usage()
    return {
      rate: (events / (last - first)) * 1000,
      sinceBack: (last - back) / 1000,
      cpu: (after.cpuMs - before.cpuMs) / events,
      peak: after.peakMb,
    }
  },
})
