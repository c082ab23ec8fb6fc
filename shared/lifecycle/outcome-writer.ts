import { codesOf, determineCodes } from '../contract/classify.ts'
import { annotations } from '../contract/constants.ts'
import { conditionsAfterError, conditionsAfterSuccess } from '../contract/created-condition.ts'
import { RequeueAfterError, StepExpiredError } from '../contract/errors.ts'
import { errorDescription, failed, processing, succeeded } from '../contract/status.ts'
import { parseStep } from '../contract/step.ts'
import type { KubernetesObject } from '../kubernetes/port.ts'
import type { Secret, StepResult } from './actuator.ts'
import { backoffMs } from './backoff.ts'
import { waitingStep } from './claim.ts'
import { factsOf, lastOperationMark } from './facts.ts'
import { kindRules } from './kind-rules.ts'
import { type Branch, type KindSteps, QuietError } from './kind-steps.ts'
import type { ObjectWriter } from './object-writer.ts'
import { redact } from './secret-of.ts'
import type { StepDeps } from './step.ts'

/** How an attempt ended. */
export type Outcome = 'succeeded' | 'continues' | 'failed' | 'waits'

/** Writes what an attempt does and how it ends (contract, lifecycle §6.2; design §4), each in the contract's order. */
export interface OutcomeWriter {
  readonly processing: (text: string) => Promise<void>
  readonly succeeded: (
    text: string,
    result: Extract<StepResult, { kind: 'done' }>,
    steps: KindSteps,
  ) => Promise<Outcome>
  readonly continues: (result: Extract<StepResult, { kind: 'continue' }>) => Promise<Outcome>
  /** Error status, then the wait; a `RequeueAfterError` waits exactly its delay. */
  readonly failed: (prefix: string, error: Error, secret: Secret | undefined) => Promise<Outcome>
  /** The wait alone. */
  readonly waits: (error: Error) => Promise<Outcome>
}

interface Input {
  readonly deps: StepDeps
  readonly writer: ObjectWriter
  readonly branch: Branch
  readonly claimed: KubernetesObject
}

export const outcomeWriter = ({ deps, writer, branch, claimed }: Input): OutcomeWriter => {
  const { clock, backend, log } = deps
  const { name, namespace, generation = 0 } = claimed.metadata
  const fields = { kind: backend.kind, namespace, name, operation: branch.operation }
  const claim = parseStep(claimed.metadata.annotations?.[annotations.step])
  const { lastOperation } = factsOf(claimed)

  const wait = async (afterMs: number, attempt: number): Promise<void> => {
    if (claim !== undefined) await writer.step(waitingStep(claim, clock.now(), afterMs, attempt))
  }
  const conditions = (outcome: 'succeeded' | 'failed') => {
    const records = branch.operation === 'reconcile' || branch.operation === 'restore'
    if (!kindRules[backend.kind].createdCondition || !records) return {}
    const after = outcome === 'succeeded' ? conditionsAfterSuccess : conditionsAfterError
    const next = after(writer.current(), clock.now())
    return next === undefined ? {} : { conditions: next }
  }
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
      if (!goesOn) await quietly(writer.status({ ...processing(branch.type, text, clock.now()) }))
    },

    succeeded: async (text, result, steps) => {
      await quietly(steps.beforeSucceeded())
      await quietly(
        writer.status({
          ...result.status,
          ...succeeded(branch.type, text, clock.now(), generation),
          ...conditions('succeeded'),
        }),
      )
      await quietly(steps.afterSucceeded(result.againAfterMs !== undefined))
      await quietly(settle(result.againAfterMs))
      log.info('step succeeded', fields)
      return 'succeeded'
    },

    continues: async result => {
      await writer.status({
        ...result.status,
        ...processing(branch.type, result.description, clock.now(), result.progress),
      })
      await wait(result.afterMs, 0)
      log.info('step continues later', { ...fields, afterMs: result.afterMs, progress: result.progress })
      return 'continues'
    },

    failed: async (prefix, error, secret) => {
      const requeue = error instanceof RequeueAfterError ? error : undefined
      const cause = requeue?.cause ?? error
      const message = redact(cause.message, secret)
      const codes = codesOf(determineCodes(cause, backend.classifiers ?? []))
      const attempt = requeue === undefined ? (claim?.attempt ?? 0) + 1 : 0
      const afterMs = delayAfter(requeue, attempt)
      log.warn('step failed', { ...fields, attempt, afterMs, codes, error: message })
      try {
        await writer.status({
          ...failed(branch.type, errorDescription(prefix, message), codes, clock.now(), generation),
          ...conditions('failed'),
        })
      } catch (failure) {
        // The wait below decides when the next attempt comes, whether or not the error could be shown.
        log.error('error status cannot be written', { ...fields, error: String(failure) })
      }
      await wait(afterMs, attempt)
      return 'failed'
    },

    waits,
  }

  /** An Extension is reconciled again after its resync, whatever delay an error asked for (lifecycle §7). */
  function delayAfter(requeue: RequeueAfterError | undefined, attempt: number): number {
    if (requeue === undefined) return backoffMs(attempt)
    const resync =
      backend.kind === 'Extension' && branch.operation === 'reconcile' ? backend.resyncMs : undefined
    return resync === undefined || resync === 0 ? requeue.delayMs : resync
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
    if (next !== undefined) return wait(next, 0)
    if (lastOperationMark(factsOf(writer.current()).lastOperation) === claim?.was)
      await writer.step(undefined)
  }
}

/** A lifecycle write that fails is retried with backoff, and no status tells (contract, lifecycle §6.2). */
const quietly = async (write: Promise<void>): Promise<void> => {
  try {
    await write
  } catch (error) {
    if (error instanceof StepExpiredError || error instanceof QuietError || !(error instanceof Error))
      throw error
    throw new QuietError(error.message, { cause: error })
  }
}
