import { type VirtualClock, virtualClock } from '../../clock/clock.ts'
import { createQueue } from '../queue.ts'
import type { Queue, QueueOptions, WorkResult } from '../queue-types.ts'

export const finished: WorkResult = { kind: 'finished', answered: true }

export interface QueueBench {
  readonly clock: VirtualClock
  readonly queue: Queue
  /** Keys in the order of their start. */
  readonly started: readonly string[]
  /** Ends the work on a key that is in flight. */
  readonly end: (key: string, result?: WorkResult) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A queue with work that ends when the test says so, or at once with `answer`. */
export const queueBench = (
  options: Partial<QueueOptions> & { readonly answer?: (key: string) => WorkResult | undefined } = {},
): QueueBench => {
  const clock = virtualClock(0)
  const started: string[] = []
  const open = new Map<string, (result: WorkResult) => void>()
  const queue = createQueue({
    clock,
    subqueues: ['A', 'B'],
    concurrency: 4,
    lowPerSecond: 1e6,
    random: () => 1,
    work: key => {
      started.push(key)
      const result = options.answer?.(key)
      return result === undefined
        ? new Promise(resolve => open.set(key, resolve))
        : clock.sleep(1).then(() => result)
    },
    ...options,
  })
  const controller = new AbortController()
  const running = queue.run(controller.signal)
  return {
    clock,
    queue,
    started,
    end: async (key, result = finished) => {
      const resolve = open.get(key)
      if (resolve === undefined) throw new Error(`${key} is not in flight`)
      open.delete(key)
      resolve(result)
      await clock.advance(0)
    },
    stop: async () => {
      controller.abort()
      for (const resolve of open.values()) resolve(finished)
      await running
    },
  }
}
