import type { Clock } from '../../shared/clock/clock.ts'
import type { RunningFunction, SeedFunction, StartFunction } from './seed-function.ts'

export interface ActivatorOptions {
  readonly functions: readonly SeedFunction[]
  readonly start: StartFunction
  readonly clock: Clock
  /** A function that has answered its last event so long ago ends; undefined: it stays. */
  readonly idleMs: number | undefined
  readonly onChange?: (change: 'woke' | 'slept' | 'died', name: string) => void
}

/** Functions that run only while there are events for them, as Knative's activator and autoscaler do it. */
export interface Activator {
  /** The URL of a function, started if need be, for one request. Rejects for a function that does not exist. */
  url(name: string): Promise<string>
  /** Says that a request to a URL that `url` gave is over: one that works is not idle. */
  answered(name: string): void
  /** Whether it runs. */
  isAwake(name: string): boolean
  close(): Promise<void>
}

export const createActivator = ({
  functions,
  start,
  clock,
  idleMs,
  onChange,
}: ActivatorOptions): Activator => {
  const awake = new Map<string, Promise<RunningFunction>>()
  const cancelSleep = new Map<string, () => void>()
  /** How many requests each one has to answer. */
  const unanswered = new Map<string, number>()

  const sleep = async (name: string): Promise<void> => {
    const running = awake.get(name)
    if (running === undefined) return
    awake.delete(name)
    onChange?.('slept', name)
    // One that could not start has told so whoever asked for it.
    const started = await running.catch(() => undefined)
    await started?.close()
  }

  /** One that crashed is started again by its next event. */
  const forget = (name: string, running: Promise<RunningFunction>): void => {
    if (awake.get(name) !== running) return
    awake.delete(name)
    cancelSleep.get(name)?.()
    onChange?.('died', name)
  }

  const wake = async (fn: SeedFunction): Promise<RunningFunction> => {
    try {
      const running = await start(fn)
      onChange?.('woke', fn.name)
      const started = awake.get(fn.name)
      if (started !== undefined) running.ended?.then(() => forget(fn.name, started))
      return running
    } catch (error) {
      awake.delete(fn.name)
      throw error
    }
  }

  const count = (name: string, change: 1 | -1): number => {
    const left = (unanswered.get(name) ?? 0) + change
    unanswered.set(name, left)
    cancelSleep.get(name)?.()
    return left
  }

  return {
    url: async name => {
      const fn = functions.find(entry => entry.name === name)
      if (fn === undefined) throw new Error(`there is no function ${name} in the sandbox`)
      const running = awake.get(name) ?? wake(fn)
      awake.set(name, running)
      const { url } = await running
      count(name, 1)
      return url
    },
    answered: name => {
      if (count(name, -1) > 0 || idleMs === undefined || !awake.has(name)) return
      cancelSleep.set(
        name,
        clock.after(idleMs, () => void sleep(name)),
      )
    },
    isAwake: name => awake.has(name),
    close: async () => {
      for (const cancel of cancelSleep.values()) cancel()
      await Promise.all([...awake.keys()].map(sleep))
    },
  }
}
