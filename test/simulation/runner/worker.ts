// First: it replaces builtins before modules of the product take references to them.
import '../../../sandbox/simulation/simulation.ts'
import { type SetName, sets } from '../sets.ts'
import { BrokenWorld, brokenResult, type SimulationJob } from '../simulation-set.ts'
import type { WorkerMessage, WorkerOrder } from './worker-messages.ts'

/** The jobs of a set, and the time that they took so far, in ms. */
interface Queue {
  readonly set: SetName
  readonly jobs: Iterator<SimulationJob>
  tookMs: number
}

/**
 * The part of the time of each set. Lives are short and have the most faults in a second; all sets have begun within
 * the first minute.
 */
const shares: Readonly<Record<SetName, number>> = {
  lives: 0.5,
  points: 0.2,
  histories: 0.1,
  random: 0.08,
  migration: 0.06,
  walks: 0.06,
}

/** Returns the queue that is the furthest behind its share. */
const nextOf = (queues: readonly Queue[]): Queue | undefined =>
  queues.toSorted((a, b) => a.tookMs / shares[a.set] - b.tookMs / shares[b.set])[0]

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
  let open = await Promise.all(
    names.map(async (set): Promise<Queue> => {
      const jobs = (await sets[set]()).jobs({ seed, functions })
      return { set, jobs: jobs[Symbol.iterator](), tookMs: 0 }
    }),
  )
  const numberOf = numberedBySet()
  for (let queue = nextOf(open); queue !== undefined; queue = nextOf(open)) {
    if (performance.now() - began > seconds * 1_000) break
    const { set, jobs } = queue
    const { done, value: job } = jobs.next()
    if (done) {
      open = open.filter(one => one !== queue)
      continue
    }
    if (numberOf(set, job) % processes !== index) continue
    const { id } = job
    if (wanted !== undefined && !`${set}: ${id}`.includes(wanted)) continue
    await send({ kind: 'began', set, id })
    const start = performance.now()
    try {
      const result = await job.run().catch((error: unknown) => {
        if (error instanceof BrokenWorld) return brokenResult(error)
        throw error
      })
      await send({ kind: 'ended', set, id, result })
    } catch (error) {
      await send({ kind: 'broke', set, id, error: error instanceof Error ? `${error.stack}` : String(error) })
    }
    queue.tookMs += performance.now() - start
    // Sets with scenarios at random have no end, and no other job has this id.
    if (wanted === id || wanted === `${set}: ${id}`) break
  }
  process.disconnect?.()
}

// A killed parent leaves no workers.
process.once('disconnect', () => process.exit())
process.once('message', order => void work(order as WorkerOrder))
