import { setTimeout as sleep } from 'node:timers/promises'
import { above } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { nowMs } from './lags.ts'
import { storedObjects } from './objects.ts'
import { until } from './pace.ts'

const events = 5_000
const answersAfterMs = 10

/** Sends more events than a slow sink can process in time. */
export const slowSink = bridgeBenchmark({
  name: 'bridge-slow-sink',
  goals: {
    rate: {
      name: `sink that takes ${answersAfterMs} ms per event`,
      unit: 'events/s',
      target: above(1_000),
      reference: apiServerSource(85),
      with: `${events} waiting events, at most 32 in flight`,
    },
  },
  measure: async seed => {
    const allWait = Promise.withResolvers<void>()
    const sink = await seed.sink()
    sink.answer = async response => {
      await allWait.promise
      await sleep(answersAfterMs)
      response.writeHead(202).end()
    }
    const bridge = await seed.bridge(sink.url)
    await seed.store(storedObjects('slow', events))
    await until('all to wait', async () => (await bridge.metric('trellis_bridge_watched_objects')) === events)
    const began = nowMs()
    allWait.resolve()
    await sink.until(() => sink.arrivals.length >= events)
    return { rate: (events / (nowMs() - began)) * 1000 }
  },
})
