import { setTimeout as sleep } from 'node:timers/promises'
import { below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { createAndReceive, lagsOf, nowMs } from './lags.ts'
import { newObjects } from './objects.ts'

const slow = 10
const fast = 200
const perSecond = 50
const answersAfterMs = 1_000

/** The sink is slow for some objects of a kind, and fast for all others of that kind. */
export const slowObject = bridgeBenchmark({
  name: 'bridge-slow-object',
  goals: {
    wait: {
      name: 'slow objects (1 s each) beside fast ones of their kind: longest wait of a fast one',
      unit: 'ms',
      target: below(50),
      reference: apiServerSource(1_500),
      with: `${slow} slow ones in flight at a time, ${perSecond} fast ones a second`,
    },
  },
  measure: async seed => {
    const sink = await seed.sink()
    sink.answer = async (response, { name }) => {
      if (name.startsWith('slow-')) await sleep(answersAfterMs)
      response.writeHead(202).end()
    }
    await seed.bridge(sink.url)
    const seconds = fast / perSecond
    const ofOneKind = (prefix: string, count: number) =>
      newObjects(prefix, count * 12).filter(({ kind }) => kind === 'DNSRecord')
    await createAndReceive(seed, sink, ofOneKind('first', perSecond), perSecond)
    const slowOnes = seed.create(ofOneKind('slow', slow * seconds), { perSecond: slow })
    const answered = new Map<string, number>()
    await seed.create(ofOneKind('fast', fast), { perSecond, created: name => answered.set(name, nowMs()) })
    await slowOnes
    await sink.until(() => sink.arrivals.filter(({ name }) => name.startsWith('fast-')).length >= fast)
    return { wait: Math.max(...lagsOf(sink, answered)) }
  },
})
