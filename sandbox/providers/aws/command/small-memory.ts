import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../../../../shared/clock/clock.ts'
import type { CallLog } from '../simulator/aws.ts'

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
  setFlagsFromString('--expose-gc')
  releaseMemory()
}

/** V8 does not return the memory of an idle process by itself. Takes about 100 ms. */
const releaseMemory = (): void => {
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** A pause is this long without a call, in ms. */
const restMs = 2_000
/** After fewer calls than this, a collection is not worth the time. */
const worthIt = 1_000

/** Releases memory whenever a pause follows many calls. The returned function stops that. */
export const releaseAtRest = (
  calls: Pick<CallLog, 'onCall'>,
  clock: Clock,
  release: () => void = releaseMemory,
): (() => void) => {
  let since = 0
  let last = 0
  let cancel: (() => void) | undefined
  const check = () => {
    const left = last + restMs - clock.now()
    cancel = left > 0 ? clock.after(left, check) : undefined
    if (cancel) return
    since = 0
    release()
  }
  const forget = calls.onCall(() => {
    since += 1
    last = clock.now()
    if (since >= worthIt) cancel ??= clock.after(restMs, check)
  })
  return () => {
    forget()
    cancel?.()
  }
}
