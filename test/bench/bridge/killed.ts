import { setTimeout as sleep } from 'node:timers/promises'
import { atMost } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { prepareChanges } from './changes.ts'

const changes = 250
const perSecond = 25

/** The bridge is killed during changes, and restarted after two seconds. */
export const killed = bridgeBenchmark({
  name: 'bridge-killed',
  goals: {
    lost: {
      name: `kill -9, 2 s, start again, ${changes} changes meanwhile: lost`,
      unit: 'events',
      target: atMost(0),
      reference: apiServerSource(52),
    },
  },
  measure: async seed => {
    const sink = await seed.sink()
    const bridge = await seed.bridge(sink.url)
    const changed = await prepareChanges(seed, changes, [bridge])
    const made = changed.make(perSecond)
    await sleep(3_000)
    await bridge.end('SIGKILL')
    await sleep(2_000)
    await seed.bridge(sink.url)
    await made
    return { lost: await changed.lost([sink], 30_000) }
  },
})
