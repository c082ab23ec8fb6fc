import { below } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { prepareChanges } from './changes.ts'
import { nowMs } from './lags.ts'
import { until } from './pace.ts'

const changes = 200
const perSecond = 50

/** The leader shuts down gracefully during changes; its successor was already watching. */
export const handover = bridgeBenchmark({
  name: 'bridge-handover',
  goals: {
    works: {
      name: 'SIGTERM of the leader → the first event of its successor',
      unit: 'ms',
      target: below(2_000),
      reference: goExtension(16_000),
    },
    lost: { name: 'the same: lost', unit: 'events' },
  },
  measure: async seed => {
    // One sink for each bridge, to see which one sent an event.
    const [first, second] = [await seed.sink(), await seed.sink()]
    const leader = await seed.bridge(first.url, { TRELLIS_LEADER_ELECTION: 'true' })
    await until('the first to lead', async () => (await leader.metric('trellis_bridge_leader')) === 1)
    const successor = await seed.bridge(second.url, { TRELLIS_LEADER_ELECTION: 'true' })
    const changed = await prepareChanges(seed, changes, [leader, successor])
    const made = changed.make(perSecond)
    await until('the leader to send', () => first.arrivals.length > perSecond)
    const asked = nowMs()
    await leader.end('SIGTERM')
    await made
    const lost = await changed.lost([first, second], 30_000)
    return { works: (second.arrivals[0]?.at ?? Number.NaN) - asked, lost }
  },
})
