import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { releaseMemory } from '../../../../shared/memory/release-at-rest.ts'

/** V8 prefers a small heap over few collections while the simulator is loaded. */
export const loadSmall = (): void => setFlagsFromString('--optimize-for-size')

/** After loading, releases the memory that it took. From then on calls have to be fast. */
export const staySmall = (): void => {
  // Done now, because a process that a signal ends writes no cache.
  flushCompileCache()
  setFlagsFromString('--no-optimize-for-size')
  // Limits the young generation to its current size. With much memory it would outgrow all resources, and calls would
  // hardly be faster.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Collects the old generation after this growth. V8 would let it grow further.
  setFlagsFromString('--heap-growing-percent=15')
  releaseMemory()
}
