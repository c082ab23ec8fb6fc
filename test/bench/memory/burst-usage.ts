import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { knownUsageOf, type ProcessUsage } from '../process-usage.ts'
import { postEvent, startedPort } from '../start/process-start.ts'
import type { startWorld } from '../start/start-world.ts'
import type { StartedKind } from '../start/started-kinds.ts'
import { serviceOf } from './service-of.ts'

const events = 200
/** Counted from the first event: no event is sent later, so that a benchmark ends in time on a slow machine. */
const longestMs = 40_000
const comeAgainMs = 200
/** The wait until garbage is collected, before the first event and after the last answer. */
const settlingMs = 2_000

export interface Burst {
  /** The name of the program's Service, which has its environment and its concurrency. */
  readonly service: string
  /** The kinds, in rotation, each with the path of its events: `/`, or that of one of several functions. */
  readonly kinds: readonly { readonly of: Omit<StartedKind, 'bundle'>; readonly path: string }[]
  /** Overrides the environment of the Service. */
  readonly env?: Readonly<Record<string, string>>
}

export interface BurstUsage {
  readonly atRest: ProcessUsage
  readonly after: ProcessUsage
  readonly answered: number
  /** Objects that did not end as `Succeeded`, with their state. */
  readonly unfinished: readonly string[]
  readonly eventsPerSecond: number
  readonly cpuMsPerEvent: number
}

/**
 * Sends 200 new objects at once through one process, started as its pod starts it, with the concurrency of its Service.
 */
export const burstUsage = async (
  world: Awaited<ReturnType<typeof startWorld>>,
  { service: name, kinds, env: overrides = {} }: Burst,
): Promise<BurstUsage> => {
  const { args, env } = world.functionStart
  const service = await serviceOf(name)
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...service.env, ...overrides, ...env },
  })
  const ended = once(child, 'exit')
  const settled = async (): Promise<ProcessUsage> => {
    await sleep(settlingMs)
    return knownUsageOf(child.pid)
  }
  try {
    const port = await startedPort(child.stdout)
    const atRest = await settled()
    const waiting = await Promise.all(
      Array.from({ length: events }, async (_, index) => {
        const { of, path = '/' } = kinds[index % kinds.length] ?? {}
        return { ...(await world.newObject(of)), path }
      }),
    )
    const answered: typeof waiting = []
    const began = performance.now()
    const worker = async () => {
      for (let object = waiting.shift(); object !== undefined; object = waiting.shift()) {
        if (performance.now() - began > longestMs) return
        const status = await postEvent(port, object.message, object.path)
        if (status === 204) answered.push(object)
        else if (status === 503) {
          // All slots of the function are taken. A broker retries.
          await sleep(comeAgainMs)
          waiting.push(object)
        } else throw new Error(`the function answered ${status}`)
      }
    }
    await Promise.all(Array.from({ length: service.concurrency || events }, worker))
    const seconds = (performance.now() - began) / 1000
    const after = await settled()
    const problems = await Promise.allSettled(answered.map(({ checkSucceeded }) => checkSucceeded()))
    return {
      atRest,
      after,
      answered: answered.length,
      unfinished: problems.flatMap(end => (end.status === 'rejected' ? [String(end.reason)] : [])),
      eventsPerSecond: answered.length / seconds,
      cpuMsPerEvent: (after.cpuMs - atRest.cpuMs) / answered.length,
    }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
