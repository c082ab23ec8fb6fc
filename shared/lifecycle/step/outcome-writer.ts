import { formatSeconds } from '../../clock/clock.ts'
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
import { errorOf, messageOf } from '../../contract/message-of.ts'
import {
  errorDescription,
  failed,
  type OperationTexts,
  processing,
  succeeded,
} from '../../contract/status.ts'
import { parseStepAnnotation } from '../../contract/step-annotation.ts'
import { idOf, type KubernetesObject, refusalAdvice } from '../../kubernetes/kubernetes.ts'
import type { Secret, StepResult } from '../actuator.ts'
import type { StepDeps } from '../backend.ts'
import { backoffMs, firstBackoffMs, waitingStep } from '../decide/claim.ts'
import { factsOf, lastOperationMark } from '../decide/facts.ts'
import { kindRules } from '../decide/kind-rules.ts'
import { type Branch, type KindHooks, UnreportedError } from './kind-hooks.ts'
import type { ObjectWriter } from './object-writer.ts'
import { redact } from './redact.ts'
import { stackFrames } from './stack-frames.ts'
import { notAtOnce } from './unhurried.ts'

/** How an attempt ended. */
export type StepEnding = 'succeeded' | 'continues' | 'failed' | 'waits' | 'handed-back'

/**
 * Writes what an attempt does and how it ends (docs/contract/lifecycle.md#status-writes;
 * docs/architecture.md#step-annotation), each in the contract's order.
 */
export interface OutcomeWriter {
  readonly processing: (text: string) => Promise<void>
  readonly succeeded: (
    texts: Pick<OperationTexts, 'success' | 'errorPrefix'>,
    result: Extract<StepResult, { kind: 'done' }>,
    hooks: KindHooks,
    secret: Secret | undefined,
  ) => Promise<StepEnding>
  readonly continues: (result: Extract<StepResult, { kind: 'continue' }>) => Promise<StepEnding>
  /** Error status, then the wait; a `RequeueAfterError` waits exactly its delay. */
  readonly failed: (
    prefix: string,
    error: Error,
    secret: Secret | undefined,
    /** Whether the attempt may have changed something outside. */
    wrote: boolean,
  ) => Promise<StepEnding>
  /** The wait alone. */
  readonly waits: (error: Error) => Promise<StepEnding>
  /**
   * Lets go of the claim of a step that its process has no time to finish: no try has failed. It is due at once, or after
   * the first backoff where it `wrote`, as after an error: a request that was cut off may still be carried out.
   */
  readonly handsBack: (wrote: boolean) => Promise<StepEnding>
}

interface OutcomeWriterInput {
  readonly deps: StepDeps
  readonly writer: ObjectWriter
  readonly branch: Branch
  readonly claimed: KubernetesObject
  /** Before this claim the object had no finalizer of this backend. */
  readonly isFirst: boolean
}

export const outcomeWriter = ({
  deps,
  writer,
  branch,
  claimed,
  isFirst,
}: OutcomeWriterInput): OutcomeWriter => {
  const { clock, backend, log } = deps
  const { generation = 0 } = claimed.metadata
  const fields = { kind: backend.kind, object: idOf(claimed.metadata), operation: branch.operation }
  const claim = parseStepAnnotation(claimed.metadata.annotations?.[annotations.step])
  const { lastOperation } = factsOf(claimed)
  const hasCreated =
    kindRules[backend.kind].createdCondition &&
    (branch.operation === 'reconcile' || branch.operation === 'restore')

  const wait = async (afterMs: number, attempt: number, waitsFor?: string): Promise<void> => {
    if (claim !== undefined) await writer.step(waitingStep(claim, clock.now(), afterMs, attempt, waitsFor))
  }
  /** The `Created` condition among those of the object as it is when it is written. */
  const conditions = (object: KubernetesObject, after: typeof conditionsAfterSuccess) => {
    const next = hasCreated ? after(object, clock.now()) : undefined
    return next === undefined ? {} : { conditions: next }
  }
  /** Those that the actuator tells, and `Created`, among the conditions of the object as it is when it is written. */
  const conditionsAfter = (object: KubernetesObject, updates: ConditionUpdates = {}) => {
    const next = conditionsWith(object, updates, clock.now())
    if (next === undefined) return conditions(object, conditionsAfterSuccess)
    const telling = { ...object, status: { ...Object(object.status), conditions: next } }
    return { conditions: next, ...conditions(telling, conditionsAfterSuccess) }
  }
  const created = createdConditionOf(claimed)
  // A restored record was made in another seed, and of a step that was killed nobody knows how far it came.
  const nothingMadeBefore =
    branch.operation === 'reconcile' &&
    (created === undefined ? isFirst && lastOperation === undefined : created.status === 'False')
  const waits: OutcomeWriter['waits'] = async error => {
    const attempt = (claim?.attempt ?? 0) + 1
    log.warn('step waits after an error that no status tells', { ...fields, attempt, error: error.message })
    await wait(backoffMs(attempt), attempt)
    return 'waits'
  }

  return {
    processing: async text => {
      // A step that goes on where the last one waited leaves its progress standing.
      const goesOn = lastOperation?.state === 'Processing' && lastOperation.type === branch.type
      const begun = goesOn ? {} : processing(branch.type, text, clock.now())
      await unreported(
        writer.status(object => {
          const status = { ...begun, ...conditions(object, conditionsBeforeWork) }
          return Object.keys(status).length === 0 ? undefined : status
        }),
      )
    },

    succeeded: async (texts, result, hooks, secret) => {
      await unreported(hooks.beforeSucceeded())
      await unreported(
        writer.status(object => ({
          ...result.status,
          ...succeeded(branch.type, texts.success, clock.now(), generation),
          ...conditionsAfter(object, result.conditions),
        })),
      )
      try {
        await unreported(hooks.afterSucceeded(result.againAfterMs !== undefined))
      } catch (error) {
        if (error instanceof UnreportedError)
          await writeLastError(errorDescription(texts.errorPrefix, redact(error.message, secret)))
        throw error
      }
      await unreported(settle(result.againAfterMs))
      log.info('step succeeded', fields)
      return 'succeeded'
    },

    continues: async result => {
      await writer.status({
        ...result.status,
        ...processing(branch.type, result.description, clock.now(), result.progress),
      })
      // The tries of a forced delete are bounded, so they count on whatever is in between.
      await wait(result.afterMs, branch.force ? (claim?.attempt ?? 0) : 0, result.waitsFor)
      log.info('step continues later', { ...fields, afterMs: result.afterMs, progress: result.progress })
      return 'continues'
    },

    failed: async (prefix, error, secret, wrote) => {
      const requeue = error instanceof RequeueAfterError ? error : undefined
      const cause = errorOf(requeue?.cause ?? error)
      const message = redact(cause.message, secret)
      const codes = codesOf(determineCodes(cause, backend.classifiers ?? []))
      const attempt = requeue === undefined || branch.force ? (claim?.attempt ?? 0) + 1 : 0
      const afterMs = delayAfter(requeue, attempt)
      const advice = refusalAdvice(cause)
      log.warn('step failed', {
        ...fields,
        attempt,
        afterMs,
        codes,
        error: message,
        // A CodedError says what was being done. Of anything else nobody has thought, and its message rarely says where.
        ...(!(cause instanceof CodedError) && { at: stackFrames(cause) }),
        ...(advice !== undefined && { advice }),
      })
      try {
        await writer.status(object => ({
          ...failed(branch.type, errorDescription(prefix, message), codes, clock.now(), generation),
          ...(nothingMadeBefore && !wrote
            ? conditions(object, (now, at) => conditionsAfterError(now, at, created))
            : {}),
        }))
      } catch (failure) {
        if (failure instanceof StepExpiredError) throw failure
        // The wait below decides when the next step comes, whether or not the error could be shown.
        log.error('error status cannot be written', { ...fields, error: messageOf(failure) })
      }
      await wait(afterMs, attempt)
      return 'failed'
    },

    waits,

    handsBack: async wrote => {
      if (claim !== undefined) {
        const { waitsFor, waitsSince } = claim
        await writer.step({
          ...waitingStep(claim, clock.now(), wrote ? firstBackoffMs : 0, claim.attempt),
          ...(waitsFor !== undefined && { waitsFor, waitsSince }),
        })
      }
      log.info('step handed back', fields)
      return 'handed-back'
    },
  }

  /**
   * Adds `lastError` to an operation that has succeeded, so that the object says why its finalizer or its annotation is still
   * there. `Succeeded` stays, because the actuator has nothing left to do, and the next success removes the error.
   */
  async function writeLastError(description: string): Promise<void> {
    try {
      await writer.status({
        lastError: { description, codes: null, lastUpdateTime: formatSeconds(clock.now()) },
      })
    } catch (failure) {
      if (failure instanceof StepExpiredError) throw failure
      log.error('error status cannot be written', { ...fields, error: messageOf(failure) })
    }
  }

  /**
   * An Extension is reconciled again after its resync, whatever delay an error asked for
   * (docs/contract/lifecycle.md#retries-and-deadlines).
   */
  function delayAfter(requeue: RequeueAfterError | undefined, attempt: number): number {
    if (requeue === undefined) return backoffMs(attempt)
    const resync =
      backend.kind === 'Extension' && branch.operation === 'reconcile' ? backend.resyncMs : undefined
    return resync === undefined || resync === 0 ? notAtOnce(requeue.delayMs) : resync
  }

  /**
   * Orders the next reconcile, where there is one. Otherwise `Succeeded` itself ends the claim, unless it looks the
   * same as the one before it, which happens within one second: then the annotation has to go.
   */
  async function settle(againAfterMs: number | undefined): Promise<void> {
    const resync =
      backend.kind === 'Extension' && branch.operation === 'reconcile' ? backend.resyncMs : undefined
    if (branch.operation === 'delete') return
    const next = againAfterMs ?? (resync === 0 ? undefined : resync)
    if (next !== undefined) return wait(notAtOnce(next), 0)
    if (lastOperationMark(factsOf(writer.current()).lastOperation) === claim?.was)
      await writer.step(undefined)
  }
}

/**
 * A lifecycle write that fails is retried with backoff, and no status tells
 * (docs/contract/lifecycle.md#status-writes).
 */
const unreported = async (write: Promise<void>): Promise<void> => {
  try {
    await write
  } catch (error) {
    if (error instanceof StepExpiredError || error instanceof UnreportedError || !(error instanceof Error))
      throw error
    throw new UnreportedError(error.message, { cause: error })
  }
}
