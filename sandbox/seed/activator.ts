import type { Clock } from '../../shared/clock/clock.ts'
import type { RunningFunction, SeedFunction } from './seed-function.ts'

export interface ActivatorOptions {
  /** Returns the starter of a function, or undefined if no function has this name. Callers wait for a slow start. */
  readonly starterOf: (name: string) => (() => Promise<RunningFunction>) | undefined
  readonly clock: Clock
  /** A function ends this long after its last answer. Undefined: it never ends. */
  readonly idleMs: number | undefined
  readonly onChange?: (change: FunctionChange, name: string) => void
}

/** `renewed`: the running function ends, and the next event starts its current version. */
export type FunctionChange = 'woke' | 'slept' | 'died' | 'renewed'

/** Runs functions only while they have events, as Knative's activator and autoscaler do. */
export interface Activator {
  /** Returns the URL of a function for one request and starts it if needed. Rejects if the function does not exist. */
  url(name: string): Promise<string>
  /** Reports that a request to a URL from `url` is over. A function with open requests is not idle. */
  answered(name: string): void
  isAwake(name: string): boolean
  /** Ends the running function once it has answered. Its next event starts it again, maybe in a new version. */
  restart(name: string): Promise<void>
  close(): Promise<void>
}

export const createActivator = ({ starterOf, clock, idleMs, onChange }: ActivatorOptions): Activator => {
  const awake = new Map<string, Promise<RunningFunction>>()
  const cancelSleep = new Map<string, () => void>()
  /** The number of unanswered requests by function. */
  const unanswered = new Map<string, number>()

  const sleep = async (name: string, change: 'slept' | 'renewed'): Promise<void> => {
    const running = awake.get(name)
    if (running === undefined) return
    awake.delete(name)
    onChange?.(change, name)
    // A failed start was already reported to its caller.
    const started = await running.catch(() => undefined)
    await started?.close()
  }

  /** The next event restarts a crashed function. */
  const forget = (name: string, running: Promise<RunningFunction>): void => {
    if (awake.get(name) !== running) return
    awake.delete(name)
    cancelSleep.get(name)?.()
    onChange?.('died', name)
  }

  const wake = (name: string, start: () => Promise<RunningFunction>): Promise<RunningFunction> => {
    const { promise, resolve, reject } = Promise.withResolvers<RunningFunction>()
    const begin = async () => {
      try {
        const running = await start()
        // A function that was ended before it started is no longer awake.
        if (awake.get(name) === promise) onChange?.('woke', name)
        running.ended?.then(() => forget(name, promise))
        resolve(running)
      } catch (error) {
        if (awake.get(name) === promise) awake.delete(name)
        reject(error)
      }
    }
    awake.set(name, promise)
    void begin()
    return promise
  }

  const count = (name: string, change: 1 | -1): number => {
    const left = (unanswered.get(name) ?? 0) + change
    unanswered.set(name, left)
    cancelSleep.get(name)?.()
    return left
  }

  return {
    url: async name => {
      const start = starterOf(name)
      if (start === undefined) throw new Error(`the sandbox has no function ${name}`)
      const { url } = await (awake.get(name) ?? wake(name, start))
      count(name, 1)
      return url
    },
    answered: name => {
      if (count(name, -1) > 0 || idleMs === undefined || !awake.has(name)) return
      cancelSleep.set(
        name,
        clock.after(idleMs, () => void sleep(name, 'slept')),
      )
    },
    isAwake: name => awake.has(name),
    restart: name => {
      cancelSleep.get(name)?.()
      return sleep(name, 'renewed')
    },
    close: async () => {
      for (const cancel of cancelSleep.values()) cancel()
      await Promise.all([...awake.keys()].map(name => sleep(name, 'slept')))
    },
  }
}

/** Returns the starters of a fixed set of functions. */
export const startersOf =
  <F extends Pick<SeedFunction, 'name'>>(
    functions: readonly F[],
    start: (fn: F) => Promise<RunningFunction>,
  ): ActivatorOptions['starterOf'] =>
  name => {
    const fn = functions.find(entry => entry.name === name)
    return fn && (() => start(fn))
  }
