import type { Timestamp } from '../../clock/clock.ts'
import { formatMilliseconds, parseTimestamp } from '../../clock/clock.ts'
import { annotations } from '../../contract/constants.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import { boundedText } from '../../events/events.ts'
import { claimMs, longestClaimMs, type StepLimits } from '../backend.ts'
import type { OperationRequest } from './facts.ts'
import { type Facts, isResumed, lastOperationMark } from './facts.ts'

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
  ...waitGoingOn(input),
})

/** The wait of the steps before, while nothing else has happened. */
const waitGoingOn = ({
  facts,
  request,
}: ClaimInput): Pick<StepAnnotation, 'waitsFor' | 'waitsSince'> | undefined => {
  const { waitsFor, waitsSince } = facts.step ?? {}
  return waitsFor === undefined || !isResumed(facts, request) ? undefined : { waitsFor, waitsSince }
}

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

/**
 * The step annotation that orders the next step so many ms from now.
 *
 * @param waitsFor what the actuator waits for; since when is kept while it is the same
 */
export const waitingStep = (
  { waitsFor: before, waitsSince, ...step }: StepAnnotation,
  now: Timestamp,
  afterMs: number,
  attempt: number,
  waitsFor?: string,
): StepAnnotation => ({
  ...step,
  ...(waitsFor !== undefined && {
    waitsFor,
    waitsSince: (waitsFor === before ? waitsSince : undefined) ?? formatMilliseconds(now),
  }),
  phase: 'waiting',
  until: formatMilliseconds(now + afterMs),
  durationMs: Math.round(afterMs),
  attempt,
})

/** First wait after a failed attempt, in ms. */
export const firstBackoffMs = 1_000

/** Longest wait between two attempts, in ms (docs/contract/lifecycle.md#retries-and-deadlines: 1000 s). */
export const longestBackoffMs = 1_000_000

/**
 * How long to wait after an attempt failed: doubling, capped at 1000 s. It starts at 1 s and not at Gardener's 5 ms
 * (see docs/decisions): each attempt of ours is an event and a wake-up.
 *
 * @param failures failed attempts in a row, 1 after the first one
 */
export const backoffMs = (failures: number): number =>
  Math.min(firstBackoffMs * 2 ** Math.min(Math.max(failures, 1) - 1, 30), longestBackoffMs)

/** What the bridge knows about a step annotation by its own clock. */
export interface StepSeen {
  /** When this process first saw the annotation with this very text. */
  readonly at: Timestamp
  /** It saw it being written; false: it was there when the object was first looked at, and may be old. */
  readonly written: boolean
  /** When a wait for something beside the object is to end before its time, because that has changed. Absent: not. */
  readonly wakeAt?: Timestamp | undefined
}

/** The longest time that a claim may count, in ms, whatever its `until` says. */
export const claimLengthMs = (step: StepAnnotation): number =>
  Math.min(step.durationMs ?? claimMs, longestClaimMs)

/**
 * When a claim is over, or a wait is due. `until` is told by the clock of the process that wrote it, which may be wrong
 * by any amount: who saw the annotation counts from then by its own clock. `until` only shortens a wait that was found. A
 * claim that was found is not shortened: the step may be at work, in a process whose clock is behind, and two at work is
 * the one thing that must not be; so after a cold start of the bridge a dead step is noticed so much later.
 *
 * @param seen undefined: asked by somebody who does not watch, who knows only that it stands there now
 */
export const stepEnd = (step: StepAnnotation, now: Timestamp, seen: StepSeen | undefined): Timestamp => {
  const until = parseTimestamp(step.until) ?? 0
  const length = step.phase === 'claimed' ? claimLengthMs(step) : step.durationMs
  if (length === undefined) return until
  if (seen === undefined) return step.phase === 'claimed' ? Math.min(until, now + length) : until
  return seen.written || step.phase === 'claimed' ? seen.at + length : Math.min(until, seen.at + length)
}
