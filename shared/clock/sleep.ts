import type { Clock } from './clock.ts'

/** A clock's `sleep`, made from its `after`. */
export const sleepBy =
  (after: Clock['after']): Clock['sleep'] =>
  (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = after(milliseconds, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
    })
