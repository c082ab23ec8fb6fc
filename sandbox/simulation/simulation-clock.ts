import { sleepBy, type Timestamp, type VirtualClock } from '../../shared/clock/clock.ts'

/** The clock of a simulation: a virtual clock for many timers. */
export interface SimulationClock extends VirtualClock {
  /**
   * Fires the next timer if it is due until `limit` (ms since the epoch), and runs everything that follows at once.
   * Returns false if there is none; the time is then `limit`.
   */
  step(limit: Timestamp): Promise<boolean>
}

interface Timer {
  readonly at: Timestamp
  readonly order: number
  callback: (() => void) | undefined
}

/** Timers of the same time fire in the order in which they were set. */
export const createSimulationClock = (start: Timestamp): SimulationClock => {
  let now = start
  let order = 0
  const heap = createHeap()

  const after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer: Timer = { at: now + Math.max(milliseconds, 0), order: order++, callback }
    heap.add(timer)
    // The entry itself is dropped when it is due.
    return () => {
      timer.callback = undefined
    }
  }

  const step = async (limit: Timestamp): Promise<boolean> => {
    await runPending()
    for (let timer = heap.first(); timer !== undefined && timer.at <= limit; timer = heap.first()) {
      heap.removeFirst()
      const { callback } = timer
      if (callback === undefined) continue
      now = Math.max(now, timer.at)
      callback()
      await runPending()
      return true
    }
    now = Math.max(now, limit)
    return false
  }

  return {
    now: () => now,
    after,
    sleep: sleepBy(after),
    step,
    advance: async milliseconds => {
      const limit = now + milliseconds
      while (await step(limit));
    },
    pending: () =>
      heap
        .all()
        .flatMap(({ at, callback }) => (callback === undefined ? [] : [at]))
        .sort((a, b) => a - b),
  }
}

/** Number of rounds of the event loop after each timer. Work that needs more rounds continues beside the next timer. */
const rounds = 3

/** Lets promise callbacks and immediates run. */
const runPending = async (): Promise<void> => {
  for (let round = 0; round < rounds; round++) await new Promise(resolve => setImmediate(resolve))
}

/** A binary heap of timers, soonest first. */
const createHeap = () => {
  const timers: Timer[] = []
  const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
  const swap = (a: number, b: number): void => {
    const one = timers[a] as Timer
    timers[a] = timers[b] as Timer
    timers[b] = one
  }
  const at = (index: number): Timer => timers[index] as Timer

  const rise = (from: number): void => {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1
      if (!isBefore(at(index), at(parent))) return
      swap(index, parent)
      index = parent
    }
  }
  const sink = (): void => {
    for (let index = 0; ; ) {
      const left = 2 * index + 1
      if (left >= timers.length) return
      const right = left + 1
      const child = right < timers.length && isBefore(at(right), at(left)) ? right : left
      if (!isBefore(at(child), at(index))) return
      swap(index, child)
      index = child
    }
  }
  return {
    first: (): Timer | undefined => timers[0],
    all: (): readonly Timer[] => timers,
    add: (timer: Timer): void => {
      timers.push(timer)
      rise(timers.length - 1)
    },
    removeFirst: (): void => {
      const last = timers.pop()
      if (last === undefined || timers.length === 0) return
      timers[0] = last
      sink()
    },
  }
}
