import { type Clock, formatSeconds } from '../../clock/clock.ts'
import { codesOf, determineCodes } from '../../contract/classify.ts'
import {
  type ConditionUpdates,
  conditionsAfterError,
  conditionsAfterSuccess,
  conditionsBeforeWork,
  conditionsWith,
  createdConditionOf,
} from '../../contract/conditions.ts'
import { annotations } from '../../contract/constants.ts'
import { CodedError, RequeueAfterError, StepExpiredError } from '../../contract/errors.ts'
import {
  errorDescription,
  failed,
  type OperationTexts,
  processing,
  succeeded,
} from '../../contract/status.ts'
import { parseStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import { idOf, type KubernetesObject, refusalAdvice } from '../../kubernetes/kubernetes.ts'
import { errorOf, messageOf } from '../../text/message-of.ts'
import type { Secret, StepContext, StepResult } from '../actuator.ts'
import type { StepDeps } from '../backend.ts'
import { backoffMs, firstBackoffMs, waitingStep } from '../decide/claim.ts'
import { factsOf, lastOperationMark } from '../decide/facts.ts'
import { orphansText } from '../decide/forced-deletion.ts'
import { kindRules } from '../decide/kind-rules.ts'
import { type Branch, type KindHooks, UnreportedError, unreported } from './kind-hooks.ts'
import type { ObjectWriter } from './object-writer.ts'
import { orphansIn, reportOrphans } from './orphans.ts'
import { redact } from './redact.ts'
import { stackFrames } from './stack-frames.ts'
import { notAtOnce } from './with-pause.ts'

export type StepEnding = 'succeeded' | 'continues' | 'failed' | 'waits' | 'handed-back' | 'released'

/**
 * Writes the progress and the outcome of an attempt (docs/contract/lifecycle.md#status-writes;
 * docs/architecture.md#step-annotation), in the contract's order.
 */
export interface OutcomeWriter {
  readonly processing: (text: string) => Promise<void>
  readonly succeeded: (
    texts: Pick<OperationTexts, 'success' | 'errorPrefix'>,
    result: Extract<StepResult, { kind: 'done' }>,
    hooks: KindHooks,
    context: Pick<StepContext, 'object' | 'cluster' | 'secret'>,
  ) => Promise<StepEnding>
  readonly continues: (result: Extract<StepResult, { kind: 'continue' }>) => Promise<StepEnding>
  /** Writes the error status, then the wait. A `RequeueAfterError` waits exactly its delay. */
  readonly failed: (
    prefix: string,
    error: Error,
    secret: Secret | undefined,
    /** True if the attempt may have changed something outside. */
    wrote: boolean,
  ) => Promise<StepEnding>
  /** Writes only the wait. */
  readonly waits: (error: Error) => Promise<StepEnding>
  /**
   * Releases the claim of a step that its process cannot finish. No attempt has failed. The object is due at once, or
   * after the first backoff if it `wrote`, as after an error: an interrupted request may still be executed.
   */
  readonly handsBack: (wrote: boolean) => Promise<StepEnding>
}

interface OutcomeWriterInput {
  readonly deps: StepDeps
  readonly writer: ObjectWriter
  readonly branch: Branch
  readonly claimed: KubernetesObject
  /** Values that no text for users may contain, besides those of the Secret. */
  readonly referenced: readonly string[]
  /** True if the object had no finalizer of this backend before this claim. */
  readonly isFirst: boolean
  /** True if the step goes on after a wait of its actuator. */
  readonly resumed: boolean
}

/** Facts about a wait that the next step needs. */
type WaitFacts = Pick<StepAnnotation, 'waitsFor' | 'interrupted'>

type AfterOutcome = typeof conditionsAfterSuccess

/** Returns the functions that update the conditions of an object with an outcome. */
const conditionUpdates = (hasCreated: boolean, clock: Clock) => {
  /** Returns the current conditions with the updated `Created` condition. */
  const conditions = (object: KubernetesObject, after: AfterOutcome) => {
    const next = hasCreated ? after(object, clock.now()) : undefined
    return next === undefined ? {} : { conditions: next }
  }
  /** Returns the current conditions with the actuator's and `Created`. */
  const conditionsAfter = (object: KubernetesObject, updates: ConditionUpdates = {}) => {
    const next = conditionsWith(object, updates, clock.now())
    if (next === undefined) return conditions(object, conditionsAfterSuccess)
    const reporting = { ...object, status: { ...Object(object.status), conditions: next } }
    return { conditions: next, ...conditions(reporting, conditionsAfterSuccess) }
  }
  return { conditions, conditionsAfter }
}

export const outcomeWriter = ({
  deps,
  writer,
  branch,
  claimed,
  referenced,
  isFirst,
  resumed,
}: OutcomeWriterInput): OutcomeWriter => {
  const { clock, backend, log } = deps
  const { generation = 0 } = claimed.metadata
  const fields = { kind: backend.kind, object: idOf(claimed.metadata), operation: branch.operation }
  const claim = parseStepAnnotation(claimed.metadata.annotations?.[annotations.step])
  const { lastOperation } = factsOf(claimed)
  /** Only an Extension has one. */
  const resyncMs = (branch.operation === 'reconcile' && backend.resyncMs) || undefined
  const hasCreated =
    kindRules[backend.kind].createdCondition &&
    (branch.operation === 'reconcile' || branch.operation === 'restore')

  const wait = async (
    afterMs: number,
    attempt: number,
    { waitsFor, interrupted }: WaitFacts = {},
  ): Promise<void> => {
    if (claim === undefined) return
    const now = clock.now()
    const { forced } = branch
    // The step after the end of a forced deletion releases the object. If that fails, it is retried with backoff.
    const limitMs = forced === undefined || forced.isOver ? afterMs : Math.max(0, forced.endsAt - now)
    const step = waitingStep(claim, now, Math.min(afterMs, limitMs), attempt, waitsFor)
    await writer.step({ ...step, ...(interrupted && { interrupted }) })
  }
  const { conditions, conditionsAfter } = conditionUpdates(hasCreated, clock)
  const created = createdConditionOf(claimed)
  // A restored record was created in another seed, and the progress of a killed step is unknown.
  const nothingMadeBefore =
    branch.operation === 'reconcile' &&
    (created === undefined ? isFirst && lastOperation === undefined : created.status === 'False')
  const waits: OutcomeWriter['waits'] = async error => {
    const attempt = (claim?.attempt ?? 0) + 1
    log.warn('step waits after an error that the status does not show', {
      ...fields,
      attempt,
      error: messageOf(error),
    })
    deps.onFailure?.(messageOf(error))
    await wait(backoffMs(attempt), attempt, { interrupted: true })
    return 'waits'
  }

  return {
    processing: async text => {
      // A step that continues after a wait retains the progress.
      const goesOn = lastOperation?.state === 'Processing' && lastOperation.type === branch.type
      const begun = goesOn ? {} : processing(branch.type, text, clock.now())
      await unreported(
        writer.status(object => {
          const status = { ...begun, ...conditions(object, conditionsBeforeWork) }
          return Object.keys(status).length === 0 ? undefined : status
        }),
      )
    },

    succeeded: async (texts, result, hooks, context) => {
      await unreported(hooks.beforeSucceeded())
      const next = result.againAfterMs ?? resyncMs
      if (next !== undefined) await unreported(waitAfterSuccess(notAtOnce(next)))
      const orphans = result.orphans && orphansIn(result.orphans, backend, { ...context, referenced })
      const text =
        orphans === undefined ? texts.success : `${texts.success}, but ${orphansText(orphans, 'status')}`
      await unreported(
        writer.status(object => ({
          ...result.status,
          ...succeeded(branch.type, text, clock.now(), generation),
          ...conditionsAfter(object, result.conditions),
        })),
      )
      if (orphans !== undefined) await reportOrphans(deps, claimed, orphans)
      try {
        await unreported(hooks.afterSucceeded(result.againAfterMs !== undefined))
      } catch (error) {
        if (!(error instanceof UnreportedError)) throw error
        // Only a next step removes the error, so it is scheduled first.
        const ending = await waits(error)
        await writeLastError(errorDescription(texts.errorPrefix, redact(messageOf(error), context.secret)))
        return ending
      }
      if (next === undefined) await unreported(endClaim())
      log.info('step succeeded', fields)
      return 'succeeded'
    },

    continues: async result => {
      await writer.status({
        ...result.status,
        ...processing(branch.type, result.description, clock.now(), result.progress),
      })
      await wait(result.afterMs, 0, result)
      log.info('step continues later', { ...fields, afterMs: result.afterMs, progress: result.progress })
      return 'continues'
    },

    failed: async (prefix, error, secret, wrote) => {
      const requeue = error instanceof RequeueAfterError ? error : undefined
      const cause = errorOf(requeue?.cause ?? error)
      const message = redact(messageOf(cause), secret, referenced)
      const codes = codesOf(determineCodes(cause, backend.classifiers ?? []))
      const attempt = requeue === undefined ? (claim?.attempt ?? 0) + 1 : 0
      const afterMs = delayAfter(requeue, attempt)
      const advice = refusalAdvice(cause)
      log.warn('step failed', {
        ...fields,
        attempt,
        afterMs,
        codes,
        error: message,
        // A CodedError names the failed action. Any other error is unexpected, and its message rarely names the place.
        ...(!(cause instanceof CodedError) && { at: stackFrames(cause) }),
        ...(advice !== undefined && { advice }),
      })
      deps.onFailure?.(codes.length === 0 ? message : `${codes.join(', ')}: ${message}`)
      let interrupted = false
      try {
        await writer.status(object => ({
          ...failed(branch.type, errorDescription(prefix, message), codes, clock.now(), generation),
          ...(nothingMadeBefore && !wrote
            ? conditions(object, (now, at) => conditionsAfterError(now, at, created))
            : {}),
        }))
      } catch (failure) {
        if (failure instanceof StepExpiredError) throw failure
        // The wait below schedules the next step, even if the error status could not be written.
        interrupted = true
        log.error('cannot write error status', { ...fields, error: messageOf(failure) })
      }
      await wait(afterMs, attempt, { interrupted })
      return 'failed'
    },

    waits,

    handsBack: async wrote => {
      if (claim !== undefined) {
        const { waitsFor, waitsSince } = claim
        await writer.step({
          ...waitingStep(claim, clock.now(), wrote ? firstBackoffMs : 0, claim.attempt),
          ...(waitsFor !== undefined && { waitsFor, waitsSince }),
          ...(!resumed && { interrupted: true }),
        })
      }
      log.info('step released', fields)
      return 'handed-back'
    },
  }

  /**
   * Adds `lastError` to a succeeded operation, so that the object shows why its finalizer or annotation remains.
   * `Succeeded` remains because the actuator has finished; the next success removes the error.
   */
  async function writeLastError(description: string): Promise<void> {
    try {
      await writer.status({
        lastError: { description, codes: null, lastUpdateTime: formatSeconds(clock.now()) },
      })
    } catch (failure) {
      if (failure instanceof StepExpiredError) throw failure
      log.error('cannot write error status', { ...fields, error: messageOf(failure) })
    }
  }

  /**
   * An Extension is reconciled after its resync interval, whatever delay an error requested
   * (docs/contract/lifecycle.md#retries-and-deadlines).
   */
  function delayAfter(requeue: RequeueAfterError | undefined, attempt: number): number {
    if (requeue === undefined) return backoffMs(attempt)
    return resyncMs ?? notAtOnce(requeue.delayMs)
  }

  /** Schedules the next reconcile. The claim remains until `Succeeded`. */
  async function waitAfterSuccess(afterMs: number): Promise<void> {
    if (claim === undefined) return
    const was = lastOperationMark(factsOf(writer.current()).lastOperation)
    await writer.step({ ...waitingStep(claim, clock.now(), afterMs, 0), was, claimedUntil: claim.until })
  }

  /**
   * `Succeeded` ends the claim, unless it equals the previous one, which happens within one second: then the annotation
   * must be removed.
   */
  async function endClaim(): Promise<void> {
    if (lastOperationMark(factsOf(writer.current()).lastOperation) === claim?.was)
      await writer.step(undefined)
  }
}
