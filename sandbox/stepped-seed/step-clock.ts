import { basename } from 'node:path'
import type { Clock, Timestamp, VirtualClock } from '../../shared/clock/clock.ts'
import { callPlaceOf } from '../../shared/runtime/definition-checks.ts'

/** A wait of a running step: `clock.sleep`. */
interface StepWait {
  readonly milliseconds: number
  readonly until: Timestamp
  /** The file and line that waits: `work.ts:73`. */
  readonly place: string
}

/** The clock of a function under test. It notices when a step waits on it. */
export interface StepClock {
  /** For the function. */
  readonly clock: Clock
  /**
   * Runs a step. If the step waits on the clock, advances the clock or fails. Rejects also if the step does not end for
   * another reason.
   */
  run<T>(step: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** Real time after which a step without a result has failed, in ms. Busy machines need some seconds for keys. */
const longestStepMs = 30_000

const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`

export const createStepClock = (
  virtual: VirtualClock,
  { name, waits: onWait }: { readonly name: string; readonly waits: 'fail' | 'advance' },
): StepClock => {
  const waits = new Set<StepWait>()
  let noticed = Promise.withResolvers<void>()

  const sleep: Clock['sleep'] = async (milliseconds, signal) => {
    const caller = callPlaceOf(sleep)
    const place = caller === undefined ? 'in unknown code' : `${basename(caller.file)}:${caller.line}`
    const wait = { milliseconds, until: virtual.now() + milliseconds, place }
    waits.add(wait)
    noticed.resolve()
    try {
      await virtual.sleep(milliseconds, signal)
    } finally {
      waits.delete(wait)
      if (waits.size === 0) noticed = Promise.withResolvers()
    }
  }

  const waitText = ({ milliseconds, place }: StepWait) =>
    `${name} waits ${seconds(milliseconds)} inside a step (${place}), but the clock advances only between steps. Return continueAfter from the step, or create the seed with waits: 'advance'.`
  const hungText = () => {
    const [next] = virtual.pending()
    const timer =
      next === undefined
        ? 'No timer is set'
        : `The next timer of the clock is due in ${seconds(next - virtual.now())}`
    return `${name}: a step has not ended after ${seconds(longestStepMs)} of real time. ${timer}. A step may wait only with clock.sleep.`
  }

  return {
    clock: { now: virtual.now, after: virtual.after, sleep },
    run: async step => {
      const stop = new AbortController()
      const fail = (text: string): never => {
        const error = new Error(text)
        stop.abort(error)
        throw error
      }
      let isOver = false
      const running = step(stop.signal).finally(() => {
        isOver = true
      })
      const ended = running.then(
        () => {},
        () => {},
      )
      while (!isOver) {
        if (await isLate(Promise.race([ended, noticed.promise]))) fail(hungText())
        // Other work of the step may end the wait.
        await virtual.advance(0)
        const [wait] = [...waits].sort((a, b) => a.until - b.until)
        if (isOver || wait === undefined) continue
        if (onWait === 'fail') fail(waitText(wait))
        await virtual.advance(wait.until - virtual.now())
      }
      return running
    },
  }
}

/** Returns true if the promise is not fulfilled in time. */
const isLate = async (promise: Promise<void>): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<true>()
  const timer = setTimeout(() => resolve(true), longestStepMs)
  try {
    return (await Promise.race([promise, late])) === true
  } finally {
    clearTimeout(timer)
  }
}
