import { below, percentile } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { createAndReceive, lagsOf } from './lags.ts'
import { newObjects } from './objects.ts'

const perSecond = 50
const seconds = 20
/** Both processes still compile their code during these. */
const warmUp = 200

/** Measures the time of a change from kube-apiserver's answer to the sink, under little load. */
export const changeToSink = bridgeBenchmark({
  name: 'bridge-latency',
  goals: {
    median: {
      name: `API server's answer → sink has it, ${perSecond} changes/s, p50`,
      unit: 'ms',
      target: below(3),
      reference: apiServerSource(0.7),
    },
    slowest: { name: 'the same, p99', unit: 'ms', target: below(10), reference: apiServerSource(2.7) },
  },
  measure: async seed => {
    const sink = await seed.sink()
    await seed.bridge(sink.url)
    await createAndReceive(seed, sink, newObjects('first', warmUp), perSecond)
    const objects = newObjects('change', perSecond * seconds)
    const lags = lagsOf(sink, await createAndReceive(seed, sink, objects, perSecond))
    return { median: percentile(lags, 0.5), slowest: percentile(lags, 0.99) }
  },
})
