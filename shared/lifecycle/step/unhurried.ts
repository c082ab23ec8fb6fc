import { isRecord, recordOf } from '../../contract/record-of.ts'
import { type KubernetesObject, mergePatch } from '../../kubernetes/kubernetes.ts'
import type { StepContext, StepResult } from '../actuator.ts'
import { pauseAfter } from '../continue-soon.ts'

type Continue = Extract<StepResult, { readonly kind: 'continue' }>

/** Who asks for the next step sooner than this, in ms, asks for it at once. */
const atOnceMs = 100
/** The shortest pause before a step that nothing has given a reason for, in ms. */
const shortestPauseMs = 500
/** How long steps may go on that change nothing, in ms. */
const limitMs = 10 * 60_000

const waitsFor = 'a change'

/** The delay, unless that is at once. */
export const notAtOnce = (delayMs: number): number => (delayMs < atOnceMs ? shortestPauseMs : delayMs)

interface Attempted {
  readonly context: Pick<StepContext, 'object' | 'waited' | 'clock'>
  /** As of the last write. */
  readonly current: KubernetesObject
  /** The actuator was about to change something outside. */
  readonly wrote: boolean
}

/**
 * A step that changed nothing may not ask for the next one at once: that would go on for ever, as fast as events come. Such
 * steps come after 500 ms at first, then after half of the time that they have gone on, up to 10 s. Throws after 10 minutes.
 *
 * Something has changed if the status has, beside `lastOperation`; or if the actuator may have written something outside,
 * and says so by another progress or description.
 */
export const unhurried = (result: Continue, attempted: Attempted): Continue => {
  if (result.afterMs >= atOnceMs || hasChanged(result, attempted)) return result
  // Who names a wait counts its time, and ends it.
  if (result.waitsFor !== undefined) return { ...result, afterMs: shortestPauseMs }
  const { waited, clock } = attempted.context
  const lasts = waited?.for === waitsFor ? clock.now() - waited.since : 0
  if (lasts >= limitMs) {
    throw new Error(
      `${result.description}: no step has changed anything for 10 minutes, though each asked for the next one at once. That is a defect of the function: report it with the log of one step`,
    )
  }
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

/** An API server may order fields as it likes. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
