import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** While the simulator is loaded, V8 prefers a small heap to few collections. */
export const loadSmall = (): void => setFlagsFromString('--optimize-for-size')

/**
 * Gives back what loading took: V8 returns no memory of a process that rests. From then on calls are to be fast.
 */
export const releaseMemory = (): void => {
  // Now, since a process that is ended by a signal writes no cache.
  flushCompileCache()
  setFlagsFromString('--no-optimize-for-size')
  // The young generation stays as small as it is now: on a machine with much memory it would grow to more than
  // all resources take, and calls are hardly faster for it.
  setFlagsFromString('--semi-space-growth-factor=1')
  // The old one is collected when it has grown by so much; V8 would let it grow further.
  setFlagsFromString('--heap-growing-percent=15')
  setFlagsFromString('--expose-gc')
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
