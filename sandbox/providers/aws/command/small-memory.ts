import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../../../../shared/clock/clock.ts'
import type { CallLog } from '../simulator/aws.ts'

/** While the simulator is loaded, V8 prefers a small heap to few collections. */
export const loadSmall = (): void => setFlagsFromString('--optimize-for-size')

/** Once all is loaded: gives back what that took. From then on calls are to be fast. */
export const staySmall = (): void => {
  // Now, since a process that is ended by a signal writes no cache.
  flushCompileCache()
  setFlagsFromString('--no-optimize-for-size')
  // The young generation stays as small as it is now: on a machine with much memory it would grow to more than
  // all resources take, and calls are hardly faster for it.
  setFlagsFromString('--semi-space-growth-factor=1')
  // The old one is collected when it has grown by so much; V8 would let it grow further.
  setFlagsFromString('--heap-growing-percent=15')
  setFlagsFromString('--expose-gc')
  releaseMemory()
}

/** V8 by itself returns no memory of a process that rests. Takes some 100 ms. */
const releaseMemory = (): void => {
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** No call for so long, in ms, is a rest. */
const restMs = 2_000
/** Fewer calls than this leave nothing behind that is worth the time. */
const worthIt = 1_000

/** Gives memory back whenever calls rest after many. The returned function ends that. */
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
