import { isRecord, recordOf } from '../../decode/record-of.ts'
import { type KubernetesObject, mergePatch } from '../../kubernetes/kubernetes.ts'
import type { StepContext, StepResult } from '../actuator.ts'
import { pauseAfter } from '../continue-soon.ts'

type Continue = Extract<StepResult, { readonly kind: 'continue' }>

/** A shorter delay, in milliseconds, counts as a request for the next step at once. */
const atOnceMs = 100
/** The shortest pause before a step without a reason to run at once, in milliseconds. */
const shortestPauseMs = 500
/** The maximum time that steps may continue without a change, in milliseconds. */
const limitMs = 10 * 60_000

const waitsFor = 'a change'

/** Returns the delay, or the shortest pause if the delay counts as "at once". */
export const notAtOnce = (delayMs: number): number => (delayMs < atOnceMs ? shortestPauseMs : delayMs)

interface Attempted {
  readonly context: Pick<StepContext, 'object' | 'waited' | 'clock'>
  /** The object after its last write. */
  readonly current: KubernetesObject
  /** The actuator has called `throwIfExpired`, so it may have changed something outside. */
  readonly wrote: boolean
}

/**
 * Slows down steps that changed nothing and request the next step at once. Otherwise such steps would repeat forever,
 * as fast as events arrive. The first pause is 500 ms. Later pauses are half of the elapsed time, up to 10 s. Throws
 * after 10 minutes.
 *
 * A step changed something if the status differs outside `lastOperation`, or if the actuator may have written something
 * outside and reports another progress or description.
 */
export const withPause = (result: Continue, attempted: Attempted): Continue => {
  if (result.afterMs >= atOnceMs || hasChanged(result, attempted)) return result
  // An actuator that names a wait limits it itself.
  if (result.waitsFor !== undefined) return { ...result, afterMs: shortestPauseMs }
  const { waited, clock } = attempted.context
  const lasts = waited?.for === waitsFor ? clock.now() - waited.since : 0
  if (lasts >= limitMs)
    throw new Error(
      `${result.description}: no step has changed anything for 10 minutes, but each step requested the next one immediately. This is a bug in the function. Report it with the log of one step`,
    )
  return { ...result, afterMs: pauseAfter(lasts), waitsFor }
}

const hasChanged = (result: Continue, { context: { object }, current, wrote }: Attempted): boolean => {
  const before = partsOf(object.status)
  const after = partsOf(mergePatch(current.status ?? {}, result.status ?? {}))
  if (sortedJson(before.rest) !== sortedJson(after.rest)) return true
  const { progress, description } = recordOf(before.lastOperation)
  return wrote && (progress !== result.progress || description !== result.description)
}

const partsOf = (status: unknown): { readonly lastOperation: unknown; readonly rest: object } => {
  const { lastOperation, ...rest } = recordOf(status)
  return { lastOperation, rest }
}

/** An API server may return fields in any order. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
