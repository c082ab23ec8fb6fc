import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** From now on V8 prefers a small heap to few collections: a simulator waits most of the time. */
export const preferSmallHeap = (): void => setFlagsFromString('--optimize-for-size')

/**
 * Gives back what loading took: the SDK's clients leave tens of megabytes of garbage, and V8 returns no memory
 * of a process that rests.
 */
export const releaseMemory = (): void => {
  // Now, since a process that is ended by a signal writes no cache.
  flushCompileCache()
  setFlagsFromString('--expose-gc')
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
