import { formatMilliseconds, parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import { isForceDeletionConfirmed } from '../../contract/cluster-facts.ts'
import { annotations, finalizerOf, type OperationType } from '../../contract/constants.ts'
import { type KindName, kinds } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type Backend, claimMs, longestClaimMs, type StepLimits } from '../backend.ts'
import { boundedText, type Facts, isResumed, lastOperationMark, type OperationRequest } from './facts.ts'
import type { ForcedDeletion } from './forced-deletion.ts'
import { kindRules } from './kind-rules.ts'

/** The branch of the backend to run and the type for `lastOperation`, or the reason why none runs. */
export type Dispatch =
  | {
      readonly kind: 'run'
      readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
      readonly type: OperationType
    }
  | { readonly kind: 'stop'; readonly why: 'migrated' | 'nothing-to-delete' }

/** Returns the dispatch (docs/contract/lifecycle.md#dispatch), with the early end of a delete. */
export const dispatch = (kind: KindName, facts: Facts, ownFinalizer?: string): Dispatch => {
  const rules = kindRules[kind]
  const type = operationType(facts)
  const own = hasOwnFinalizer(kind, facts.finalizers, ownFinalizer)
  if (rules.migrates) {
    if (type !== 'Migrate' && type !== 'Restore' && isMigrated(kind, facts))
      return { kind: 'stop', why: 'migrated' }
    if (type === 'Migrate') return { kind: 'run', operation: 'migrate', type }
  }
  if (facts.deletionTimestamp !== undefined) {
    if (!own) return { kind: 'stop', why: 'nothing-to-delete' }
    return { kind: 'run', operation: 'delete', type: rules.deleteType === 'computed' ? type : 'Delete' }
  }
  if (rules.migrates && type === 'Restore') return { kind: 'run', operation: 'restore', type }
  return { kind: 'run', operation: 'reconcile', type }
}

/** Returns true for an object that was migrated; this seed ignores it (docs/contract/lifecycle.md#dispatch). */
export const isMigrated = (kind: KindName, facts: Facts): boolean =>
  kindRules[kind].migrates &&
  facts.lastOperation?.type === 'Migrate' &&
  facts.lastOperation.state === 'Succeeded'

/** Returns the operation type (docs/contract/lifecycle.md#operation-type): the first matching rule. */
export const operationType = (
  facts: Pick<Facts, 'requested' | 'deletionTimestamp' | 'lastOperation'>,
): OperationType => {
  const { requested, deletionTimestamp, lastOperation } = facts
  if (requested === 'migrate') return 'Migrate'
  if (deletionTimestamp !== undefined) return 'Delete'
  if (requested === 'restore') return 'Restore'
  if (lastOperation === undefined) return 'Create'
  if (lastOperation.state !== 'Succeeded') {
    const { type } = lastOperation
    if (type === 'Create' || type === 'Migrate' || type === 'Restore') return type
  }
  return 'Reconcile'
}

/**
 * Returns the finalizer of a backend for an object (docs/contract/lifecycle.md#finalizers). An Extension chooses its
 * suffix; the default is the object's type, which only one function has and which never changes.
 */
export const ownFinalizer = (
  backend: Pick<Backend, 'kind' | 'finalizerSuffix'>,
  { provider }: Pick<Facts, 'provider'>,
): string =>
  backend.kind === 'Extension'
    ? kinds.Extension.finalizer(backend.finalizerSuffix ?? provider)
    : kinds[backend.kind].finalizer()

/**
 * Returns true if the kind owns one of the finalizers. Each extension chooses an Extension's suffix: if it is unknown,
 * any finalizer with the extensions' prefix counts.
 */
export const hasOwnFinalizer = (
  kind: KindName,
  finalizers: readonly string[],
  own: string | undefined = kind === 'Extension' ? undefined : kinds[kind].finalizer(),
): boolean =>
  finalizers.some(finalizer =>
    own === undefined ? finalizer.startsWith(finalizerOf('')) : finalizer === own,
  )

/**
 * Returns the finalizer that this operation must add before any external change
 * (docs/contract/lifecycle.md#create-and-reconcile, docs/contract/lifecycle.md#restore).
 */
export const finalizerToAdd = (
  backend: Backend,
  facts: Facts,
  operation: 'reconcile' | 'delete' | 'migrate' | 'restore',
): string | undefined => {
  const own = ownFinalizer(backend, facts)
  if (operation === 'delete' || operation === 'migrate' || facts.finalizers.includes(own)) return undefined
  return own
}

/** Returns true for a forced delete (docs/contract/lifecycle.md#force-delete). */
export const isForced = (kind: KindName, object: KubernetesObject, cluster: Cluster | undefined): boolean => {
  switch (kindRules[kind].forceDelete) {
    case 'shoot annotation':
      return cluster !== undefined && isForceDeletionConfirmed(cluster)
    case 'own annotation':
      return object.metadata.annotations?.[annotations.forceDeletionConfirmation] === 'true'
    case 'none':
      return false
  }
}

export interface ClaimInput {
  readonly facts: Facts
  readonly operation: StepAnnotation['operation']
  readonly request: OperationRequest | undefined
  readonly eventId: string
  readonly now: Timestamp
  readonly limits: StepLimits
  /** Undefined: the operation is no forced delete. */
  readonly forced: ForcedDeletion | undefined
  /** The finalizer to add. Undefined if it exists or this operation adds none. */
  readonly addFinalizer: string | undefined
}

const runningStep = (input: ClaimInput): StepAnnotation => ({
  phase: 'claimed',
  operation: input.operation,
  attempt: attemptsSoFar(input),
  until: formatMilliseconds(input.now + input.limits.stepMs + input.limits.marginMs),
  durationMs: input.limits.stepMs + input.limits.marginMs,
  event: boundedText(input.eventId),
  request: input.request?.id ?? input.facts.step?.request ?? '',
  generation: input.facts.generation,
  was: lastOperationMark(input.facts.lastOperation),
  ...(input.forced === undefined ? {} : { forcedMs: input.forced.tookMs }),
  ...(input.facts.metadataHash === undefined ? {} : { metadataHash: input.facts.metadataHash }),
  ...waitGoingOn(input),
})

/** Returns the wait of the previous steps if nothing else has happened. */
const waitGoingOn = ({
  facts,
  request,
}: ClaimInput): Pick<StepAnnotation, 'waitsFor' | 'waitsSince'> | undefined => {
  const { waitsFor, waitsSince } = facts.step ?? {}
  return waitsFor === undefined || !isResumed(facts, request) ? undefined : { waitsFor, waitsSince }
}

/**
 * Failures accumulate while the same operation is retried. The count restarts with a new request or generation, and
 * when a delete becomes forced, because its time is limited.
 */
const attemptsSoFar = ({ facts, request, operation, forced }: ClaimInput): number => {
  const { step } = facts
  if (step === undefined || step.operation !== operation || step.generation !== facts.generation) return 0
  if (request !== undefined && request.id !== step.request) return 0
  if ((step.forcedMs === undefined) !== (forced === undefined)) return 0
  return step.attempt
}

/**
 * Returns the single patch that claims an object: consumes the `reconcile` annotation, adds the finalizer and writes
 * the step. It is valid only for the version that was read (docs/architecture.md#claim).
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

/**
 * Returns the patch of an attempt that ends before its start: consumes the annotation, and removes or writes a wait.
 */
export const stopPatch = (facts: Facts, wait: StepAnnotation | undefined): object => ({
  metadata: {
    resourceVersion: facts.resourceVersion,
    annotations: {
      ...consumed(facts),
      [annotations.step]: wait === undefined ? null : formatStepAnnotation(wait),
    },
  },
})

/** Returns true if `stopPatch` without a wait would change something. */
export const stopChanges = (facts: Facts): boolean =>
  facts.requested === 'reconcile' || facts.step !== undefined

/**
 * Only `reconcile` is consumed at the start; `restore` and `migrate` remain until they are done
 * (docs/contract/lifecycle.md#consuming-the-annotation).
 */
const consumed = (facts: Facts): Record<string, null> =>
  facts.requested === 'reconcile' ? { [annotations.operation]: null } : {}

/**
 * Returns the step annotation that schedules the next step after this many milliseconds.
 *
 * @param waitsFor the actuator's wait; its start time is retained while it is the same
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
  ...(step.forcedMs !== undefined && { forcedMs: step.forcedMs + lastedMs(step, now) }),
  phase: 'waiting',
  until: formatMilliseconds(now + afterMs),
  durationMs: Math.round(afterMs),
  attempt,
})

/** Returns the time since a claim, by the clock that wrote it. */
const lastedMs = ({ until, durationMs = 0 }: StepAnnotation, now: Timestamp): number =>
  Math.max(0, Math.round(now - (parseTimestamp(until) ?? now) + durationMs))

/** First wait after a failed attempt, in milliseconds. */
export const firstBackoffMs = 1_000

/** Longest wait between two attempts, in milliseconds (docs/contract/lifecycle.md#retries-and-deadlines: 1000 s). */
const longestBackoffMs = 1_000_000

/**
 * Returns the wait after a failed attempt: doubles up to 1000 s. Starts at 1 s instead of Gardener's 5 ms (see
 * docs/decisions), because each attempt is an event and wakes a function.
 *
 * @param failures consecutive failures, 1 after the first one
 */
export const backoffMs = (failures: number): number =>
  Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs)

/** The bridge's observation of a step annotation, by the bridge's clock. */
export interface StepSeen {
  /** Time when this process first saw this text of the annotation. */
  readonly at: Timestamp
  /** True: the process saw the write. False: the annotation existed at the first read of the object and may be old. */
  readonly written: boolean
  /** The earlier end of a wait for another object, because that object has changed. Absent: no earlier end. */
  readonly wakeAt?: Timestamp | undefined
}

/** Returns the longest time in milliseconds that a claim is valid, whatever its `until`. */
export const claimLengthMs = (step: StepAnnotation): number =>
  Math.min(step.durationMs ?? claimMs, longestClaimMs)

/**
 * Returns the end of a claim or wait. `until` is from the clock of its writer, which may be wrong by any amount, so an
 * observer counts from its first read of the annotation with its own clock. `until` only shortens a wait that existed
 * at the first read. It never shortens such a claim: its step may be running in a process with a slow clock, and two
 * steps must never run at once. So after a cold start of the bridge, a dead step is detected later.
 *
 * @param seen undefined: the caller does not watch and knows only the current annotation
 */
export const stepEnd = (step: StepAnnotation, now: Timestamp, seen: StepSeen | undefined): Timestamp => {
  const until = parseTimestamp(step.until) ?? 0
  const length = step.phase === 'claimed' ? claimLengthMs(step) : step.durationMs
  if (length === undefined) return until
  if (seen === undefined) return step.phase === 'claimed' ? Math.min(until, now + length) : until
  return seen.written || step.phase === 'claimed' ? seen.at + length : Math.min(until, seen.at + length)
}
