import type { Clock } from '../../shared/clock/clock.ts'
import type { RunningFunction, SeedFunction } from './seed-function.ts'

export interface ActivatorOptions {
  /** Starts a function of a name; undefined: there is none of that name. Who takes long to start is waited for. */
  readonly starterOf: (name: string) => (() => Promise<RunningFunction>) | undefined
  readonly clock: Clock
  /** A function that has answered its last event so long ago ends; undefined: it stays. */
  readonly idleMs: number | undefined
  readonly onChange?: (change: FunctionChange, name: string) => void
}

/** `renewed`: it ends as it is, to be started again as it then is. */
export type FunctionChange = 'woke' | 'slept' | 'died' | 'renewed'

/** Functions that run only while there are events for them, as Knative's activator and autoscaler do it. */
export interface Activator {
  /** The URL of a function, started if need be, for one request. Rejects for a function that does not exist. */
  url(name: string): Promise<string>
  /** Says that a request to a URL that `url` gave is over: one that works is not idle. */
  answered(name: string): void
  /** Whether it runs. */
  isAwake(name: string): boolean
  /** Ends what runs of it, once it has answered; its next event starts it again, another one perhaps. */
  restart(name: string): Promise<void>
  close(): Promise<void>
}

export const createActivator = ({ starterOf, clock, idleMs, onChange }: ActivatorOptions): Activator => {
  const awake = new Map<string, Promise<RunningFunction>>()
  const cancelSleep = new Map<string, () => void>()
  /** How many requests each one has to answer. */
  const unanswered = new Map<string, number>()

  const sleep = async (name: string, change: 'slept' | 'renewed'): Promise<void> => {
    const running = awake.get(name)
    if (running === undefined) return
    awake.delete(name)
    onChange?.(change, name)
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

  const wake = (name: string, start: () => Promise<RunningFunction>): Promise<RunningFunction> => {
    const { promise, resolve, reject } = Promise.withResolvers<RunningFunction>()
    const begin = async () => {
      try {
        const running = await start()
        // One that was to end before it had started is not awake any more.
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
      if (start === undefined) throw new Error(`there is no function ${name} in the sandbox`)
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

/** The starters of functions that stay the same. */
export const startersOf =
  <F extends Pick<SeedFunction, 'name'>>(
    functions: readonly F[],
    start: (fn: F) => Promise<RunningFunction>,
  ): ActivatorOptions['starterOf'] =>
  name => {
    const fn = functions.find(entry => entry.name === name)
    return fn && (() => start(fn))
  }
