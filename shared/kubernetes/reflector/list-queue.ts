import { type Clock, withinSignal } from '../../clock/clock.ts'

/** Runs lists of several resources sequentially, one page at a time. */
export interface ListQueue {
  /** Runs `read` after the earlier reads. Rejects with the signal's reason if it aborts before. */
  take<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T>
}

/**
 * After this time the next read starts too, so that a server that does not respond for one resource cannot block the
 * others. Milliseconds.
 */
const longestReadMs = 10_000

export const createListQueue = (clock: Clock): ListQueue => {
  let last: Promise<void> = Promise.resolve()
  return {
    take: async (signal, read) => {
      const before = last
      const own = Promise.withResolvers<void>()
      last = own.promise
      try {
        await withinSignal(signal, before)
      } catch (error) {
        before.then(own.resolve)
        throw error
      }
      const disarm = clock.after(longestReadMs, own.resolve)
      try {
        return await read()
      } finally {
        disarm()
        own.resolve()
      }
    },
  }
}
