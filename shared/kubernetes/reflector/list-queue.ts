import type { Clock } from '../../clock/clock.ts'

/** Lets lists of several resources read one after the other, a page at a time. */
export interface ListQueue {
  /** Runs `read` once those before are over. Rejects with the signal's reason when it aborts before. */
  take<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T>
}

/** After so long the next one reads too: a resource whose server does not answer must not hold up the others. */
const longestReadMs = 10_000

export const createListQueue = (clock: Clock): ListQueue => {
  let last: Promise<void> = Promise.resolve()
  return {
    take: async (signal, read) => {
      const before = last
      const own = Promise.withResolvers<void>()
      last = own.promise
      try {
        await unlessAborted(before, signal)
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

const unlessAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
  })
