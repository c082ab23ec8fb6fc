import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { postEvent } from '../post-event.ts'
import { startedPort } from '../process-start.ts'
import { type ProcessUsage, usageOf } from '../process-usage.ts'
import { type StartedKind, startWorld } from '../start-world.ts'
import { serviceOf } from './service-of.ts'

const events = 200
/** Counted from the first event: no event is sent later, so that a benchmark ends in time on a slow machine. */
const longestMs = 40_000
const comeAgainMs = 200
/** The wait after the last answer until garbage is collected. */
const settlingMs = 2_000

/** A kind of object and the path of its events: `/`, or the path of one of several functions. */
export interface KindAtPath {
  readonly of: StartedKind
  readonly path: string
}

export interface Burst {
  /** The name of the program in its image and its manifest. */
  readonly name: string
  /** The world in which the program runs. */
  readonly world: StartedKind
  /** The kinds, in rotation. */
  readonly kinds: readonly KindAtPath[]
  /** Overrides the environment of the manifest. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface BurstUsage extends ProcessUsage {
  readonly answered: number
  /** Objects that did not end as `Succeeded`, with their state. */
  readonly unfinished: readonly string[]
  readonly eventsPerSecond: number
  readonly cpuMsPerEvent: number
}

/**
 * Sends 200 new objects at once through one process, started as its pod starts it. Its manifest limits the concurrency.
 */
export const burstUsage = async (burst: Burst): Promise<BurstUsage> => {
  const { name, settings = {} } = burst
  const world = await startWorld(burst.world)
  const { args, env } = world.functionStart
  const service = await serviceOf(name)
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...service.env, ...settings, ...env },
  })
  const ended = once(child, 'exit')
  try {
    const port = await startedPort(child.stdout)
    const objects = await Promise.all(
      Array.from({ length: events }, async (_, index) => {
        const kind = burst.kinds[index % burst.kinds.length] ?? { of: burst.world, path: '/' }
        return { ...(await world.newObject(kind.of)), path: kind.path }
      }),
    )
    const began = performance.now()
    const before = await usageOf(child.pid)
    const waiting = [...objects]
    const answered: typeof objects = []
    const worker = async () => {
      for (let object = waiting.shift(); object !== undefined; object = waiting.shift()) {
        if (performance.now() - began > longestMs) return
        const status = await postEvent(port, object.message, object.path)
        if (status === 503) {
          // All slots of the function are taken. A broker retries.
          await sleep(comeAgainMs)
          waiting.push(object)
          continue
        }
        if (status !== 204) throw new Error(`the function answered ${status}`)
        answered.push(object)
      }
    }
    await Promise.all(Array.from({ length: service.concurrency || events }, worker))
    const seconds = (performance.now() - began) / 1000
    await sleep(settlingMs)
    const usage = await usageOf(child.pid)
    if (usage === undefined) throw new Error('the system does not tell what a process takes')
    const problems = await Promise.allSettled(answered.map(({ checkSucceeded }) => checkSucceeded()))
    return {
      ...usage,
      answered: answered.length,
      unfinished: problems.flatMap(end => (end.status === 'rejected' ? [String(end.reason)] : [])),
      eventsPerSecond: answered.length / seconds,
      cpuMsPerEvent: (usage.cpuMs - (before?.cpuMs ?? 0)) / answered.length,
    }
  } finally {
    child.kill('SIGKILL')
    await ended
    await world.close()
  }
}
