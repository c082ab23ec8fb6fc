import type { Timestamp } from '../../clock/clock.ts'
import { formatMilliseconds } from '../../clock/timestamp.ts'
import { annotations } from '../../contract/constants.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import { boundedText } from '../../events/bounded-text.ts'
import type { StepLimits } from '../backend.ts'
import { type Facts, lastOperationMark } from '../decide/facts.ts'
import type { OperationRequest } from '../decide/request.ts'

/** What a claim is made of. */
export interface ClaimInput {
  readonly facts: Facts
  readonly operation: StepAnnotation['operation']
  readonly request: OperationRequest | undefined
  readonly eventId: string
  readonly now: Timestamp
  readonly limits: StepLimits
  /** A forced delete. */
  readonly forced: boolean
  /** The finalizer to add; undefined when it is there already, or when this operation adds none. */
  readonly addFinalizer: string | undefined
}

/** The step annotation of a claim. */
export const runningStep = (input: ClaimInput): StepAnnotation => ({
  phase: 'claimed',
  operation: input.operation,
  attempt: attemptsSoFar(input),
  until: formatMilliseconds(input.now + input.limits.stepMs + input.limits.marginMs),
  durationMs: input.limits.stepMs + input.limits.marginMs,
  event: boundedText(input.eventId),
  request: input.request?.id ?? input.facts.step?.request ?? '',
  generation: input.facts.generation,
  was: lastOperationMark(input.facts.lastOperation),
  ...(input.forced ? { forced: true } : {}),
  ...(input.facts.metadataHash === undefined ? {} : { metadataHash: input.facts.metadataHash }),
})

/**
 * Failures count on while the same thing is retried, and start anew with a new request or generation, and when a delete
 * is forced from now on: its tries are bounded.
 */
const attemptsSoFar = ({ facts, request, operation, forced }: ClaimInput): number => {
  const { step } = facts
  if (step === undefined || step.operation !== operation || step.generation !== facts.generation) return 0
  if (request !== undefined && request.id !== step.request) return 0
  if ((step.forced ?? false) !== forced) return 0
  return step.attempt
}

/**
 * The one patch that claims an object: consumes the `reconcile` annotation, adds the finalizer, writes the step, and
 * holds only for the version that was read (docs/architecture.md#claim).
 */
export const claimPatch = (input: ClaimInput): { readonly patch: object; readonly step: StepAnnotation } => {
  const step = runningStep(input)
  const { facts, addFinalizer } = input
  return {
    step,
    patch: {
      metadata: {
        resourceVersion: facts.resourceVersion,
        annotations: { ...consumed(facts), [annotations.step]: formatStepAnnotation(step) },
        ...(addFinalizer === undefined ? {} : { finalizers: [...facts.finalizers, addFinalizer] }),
      },
    },
  }
}

/** The patch of an attempt that ends before it begins: consumes the annotation, and drops or orders a wait. */
export const stopPatch = (facts: Facts, wait: StepAnnotation | undefined): object => ({
  metadata: {
    resourceVersion: facts.resourceVersion,
    annotations: {
      ...consumed(facts),
      [annotations.step]: wait === undefined ? null : formatStepAnnotation(wait),
    },
  },
})

/** Whether `stopPatch` without a wait would change anything. */
export const stopChanges = (facts: Facts): boolean =>
  facts.requested === 'reconcile' || facts.step !== undefined

/**
 * Only `reconcile` is consumed at the start; `restore` and `migrate` stay until they are done
 * (docs/contract/lifecycle.md#consuming-the-annotation).
 */
const consumed = (facts: Facts): Record<string, null> =>
  facts.requested === 'reconcile' ? { [annotations.operation]: null } : {}

/** The step annotation that orders the next look so many ms from now. */
export const waitingStep = (
  step: StepAnnotation,
  now: Timestamp,
  afterMs: number,
  attempt: number,
): StepAnnotation => ({
  ...step,
  phase: 'waiting',
  until: formatMilliseconds(now + afterMs),
  durationMs: Math.round(afterMs),
  attempt,
})
