import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { prepareChanges } from './changes.ts'
import { nowMs } from './lags.ts'

const changes = 200
const perSecond = 50
const frozenMs = 40_000
/** The bridge sends a ping every 30 s. It therefore sends one soon after the start, and closes its connection. */
const quietMs = 20_000

/** kube-apiserver holds its connections open without answering; then it continues. */
export const apiServerFrozen = bridgeBenchmark({
  name: 'bridge-api-frozen',
  goals: {
    lost: {
      name: `API server frozen ${frozenMs / 1000} s: lost`,
      unit: 'events',
      target: atMost(0),
      with: `${changes} changes after it; the connection was given up meanwhile`,
    },
    first: {
      name: 'the same: first event after it',
      unit: 'ms',
      target: below(2_000),
      reference: apiServerSource(122),
    },
    last: { name: 'the same: until every kind had an event', unit: 'ms' },
  },
  measure: async seed => {
    const sink = await seed.sink()
    const bridge = await seed.bridge(sink.url)
    const changed = await prepareChanges(seed, changes, [bridge])
    await sleep(quietMs)
    seed.server.freeze()
    await sleep(frozenMs)
    seed.server.thaw()
    const thawed = nowMs()
    await changed.make(perSecond)
    const lost = await changed.lost([sink], 60_000)
    if ((await bridge.metric('trellis_bridge_watch_restarts_total')) === 0) {
      throw new Error('the connection was not given up')
    }
    const lags = sink.arrivals.map(({ name, at }) => at - (changed.answered.get(name) ?? thawed))
    return { lost, first: (sink.arrivals[0]?.at ?? Number.NaN) - thawed, last: Math.max(...lags) }
  },
})
