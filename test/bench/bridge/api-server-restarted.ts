import { setTimeout as sleep } from 'node:timers/promises'
import { atMost } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { prepareChanges } from './changes.ts'

const changes = 400
const perSecond = 50

/** kube-apiserver is killed during changes and restarted at the same address, on the same etcd. */
export const apiServerRestarted = bridgeBenchmark({
  name: 'bridge-api-restarted',
  goals: {
    lost: {
      name: `API server restarted under ${changes} changes: lost`,
      unit: 'events',
      target: atMost(0),
      reference: apiServerSource(66),
    },
  },
  measure: async seed => {
    const sink = await seed.sink()
    const bridge = await seed.bridge(sink.url)
    const changed = await prepareChanges(seed, changes, [bridge])
    const made = changed.make(perSecond)
    await sleep(3_000)
    await seed.server.restart()
    await made
    return { lost: await changed.lost([sink], 60_000) }
  },
})
