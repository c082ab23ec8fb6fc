import type { Clock, Timestamp } from '../../clock/clock.ts'

/**
 * A broken server may make each list useless at once: older than the one before, or forgotten when its watch begins.
 * Milliseconds.
 */
export const listLimit = { lists: 5, withinMs: 10_000 } as const

/** Waits before a list until fewer than five began within the last ten seconds. */
export const createListLimit = (clock: Clock): ((signal: AbortSignal) => Promise<void>) => {
  let began: readonly Timestamp[] = []
  return async signal => {
    began = began.filter(time => clock.now() - time < listLimit.withinMs)
    const [oldest] = began
    if (oldest !== undefined && began.length >= listLimit.lists)
      await clock.sleep(oldest + listLimit.withinMs - clock.now(), signal)
    began = [...began.slice(1 - listLimit.lists), clock.now()]
  }
}
