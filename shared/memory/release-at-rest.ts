import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../clock/clock.ts'

export interface ReleaseAtRestOptions {
  /** A smaller amount of work before a pause is not worth the time of a collection. */
  readonly worthIt: number
  /** The length of a pause without work, in ms. */
  readonly restMs: number
  readonly clock: Clock
  /** Default: `releaseMemory`. */
  readonly release?: () => void
}

/** Releases memory once whenever a pause follows much work. At rest it has no timer. */
export const releaseAtRest = (
  options: ReleaseAtRestOptions,
): {
  /** Records work, with its amount (default: 1). */
  readonly work: (amount?: number) => void
  readonly stop: () => void
} => {
  const { worthIt, restMs, clock, release = releaseMemory } = options
  let since = 0
  let last = 0
  let isStopped = false
  let cancel: (() => void) | undefined
  const check = () => {
    const left = last + restMs - clock.now()
    cancel = left > 0 ? clock.after(Math.min(left, restMs), check) : undefined
    if (cancel) return
    since = 0
    release()
  }
  return {
    work: (amount = 1) => {
      since += amount
      last = clock.now()
      if (since >= worthIt && !isStopped) cancel ??= clock.after(restMs, check)
    },
    stop: () => {
      isStopped = true
      cancel?.()
    },
  }
}

/**
 * Collects all garbage and returns the memory to the system: V8 does not do that by itself in an idle process. Takes 50
 * to 100 ms.
 */
export const releaseMemory = (): void => {
  setFlagsFromString('--expose-gc')
  const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
