// First: it replaces builtins before modules of the product take references to them.
import '../../../sandbox/simulation/simulation.ts'
import { alternately } from '../alternately.ts'
import { type SetName, sets } from '../sets.ts'
import type { SimulationJob } from '../simulation-set.ts'
import type { WorkerMessage, WorkerOrder } from './worker-messages.ts'

function* jobsOf(set: SetName, jobs: Iterable<SimulationJob>) {
  for (const job of jobs) yield { set, job }
}

const send = (message: WorkerMessage): Promise<void> =>
  new Promise(resolve => {
    if (process.send === undefined) resolve()
    else process.send(message, () => resolve())
  })

/** Returns the number of a job or its topic, from 0 in each set. */
const numberedBySet = () => {
  const counts = new Map<SetName, number>()
  const topics = new Map<string, number>()
  const next = (set: SetName): number => {
    const count = counts.get(set) ?? 0
    counts.set(set, count + 1)
    return count
  }
  return (set: SetName, { topic }: SimulationJob): number => {
    if (topic === undefined) return next(set)
    const number = topics.get(topic) ?? next(set)
    topics.set(topic, number)
    return number
  }
}

const work = async ({
  sets: names,
  seed,
  functions,
  job: wanted,
  index,
  processes,
  seconds,
}: WorkerOrder) => {
  const began = performance.now()
  const loaded = await Promise.all(
    names.map(async set => jobsOf(set, (await sets[set]()).jobs({ seed, functions }))),
  )
  const numberOf = numberedBySet()
  for (const { set, job } of alternately(loaded)) {
    if (performance.now() - began > seconds * 1_000) break
    if (numberOf(set, job) % processes !== index) continue
    const { id } = job
    if (wanted !== undefined && !`${set}: ${id}`.includes(wanted)) continue
    await send({ kind: 'began', set, id })
    try {
      await send({ kind: 'ended', set, id, result: await job.run() })
    } catch (error) {
      await send({ kind: 'broke', set, id, error: error instanceof Error ? `${error.stack}` : String(error) })
    }
    // Sets with scenarios at random have no end, and no other job has this id.
    if (wanted === id || wanted === `${set}: ${id}`) break
  }
  process.disconnect?.()
}

// A killed parent leaves no workers.
process.once('disconnect', () => process.exit())
process.once('message', order => void work(order as WorkerOrder))
