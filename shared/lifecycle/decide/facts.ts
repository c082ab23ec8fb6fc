import type { Timestamp } from '../../clock/clock.ts'
import {
  annotations,
  type RequestedOperation,
  requestedOperations,
  secondaryPrefix,
} from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import { laterPause, type Pause, pauseOf } from '../../contract/pause.ts'
import {
  longestRemembered,
  parseStepAnnotation,
  type StepAnnotation,
} from '../../contract/step-annotation.ts'
import { recordOf, stringOf } from '../../decode/record-of.ts'
import { sha256Of } from '../../events/events.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { hashOf } from '../../text/hash-of.ts'
import { nearestName } from '../../text/nearest-name.ts'
import { kindRules } from './kind-rules.ts'

/**
 * The facts that the lifecycle reads from an object, valid or not: an object that violates its schema still has an
 * operation, and the function reports the problem in its status.
 */
export interface Facts {
  readonly uid: string
  readonly generation: number
  readonly resourceVersion: string
  /** `spec.type` */
  readonly provider: string
  /** `spec.class`. Default, also for an empty text: `shoot`. */
  readonly extensionClass: string
  /** The operation annotation, if it is one of the four that backends know. */
  readonly requested: RequestedOperation | undefined
  /** `gardener.cloud/timestamp`, unparsed. */
  readonly timestamp: string
  readonly deletionTimestamp: string | undefined
  readonly finalizers: readonly string[]
  readonly lastOperation: LastOperationFacts | undefined
  /** A wait whose success is not written yet counts as the claim before it (docs/architecture.md#step-annotation). */
  readonly step: StepAnnotation | undefined
  /** The pause of the object, or with `withShootPause` that of its shoot if only it is in force, or ends later. */
  readonly pause: Pause | undefined
  /** `metadataHashOf` of an object in deletion, else undefined. */
  readonly metadataHash: string | undefined
}

export interface LastOperationFacts {
  readonly type: string
  readonly state: string
  readonly lastUpdateTime: string
}

/** Reads the facts of an object. Never throws. */
export const factsOf = (object: KubernetesObject): Facts => {
  const { metadata } = object
  const spec = recordOf(object.spec)
  const last = recordOf(recordOf(object.status).lastOperation)
  const annotation = metadata.annotations?.[annotations.operation]
  const lastOperation =
    stringOf(last.type) === '' && stringOf(last.state) === ''
      ? undefined
      : {
          type: stringOf(last.type),
          state: stringOf(last.state),
          lastUpdateTime: stringOf(last.lastUpdateTime),
        }
  return {
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? '',
    provider: stringOf(spec.type),
    extensionClass: stringOf(spec.class) || 'shoot',
    requested: requestedOperations.find(value => value === annotation),
    timestamp: metadata.annotations?.[annotations.timestamp] ?? '',
    pause: pauseOf(metadata),
    deletionTimestamp: metadata.deletionTimestamp,
    finalizers: metadata.finalizers ?? [],
    lastOperation,
    step: stepSince(parseStepAnnotation(metadata.annotations?.[annotations.step]), lastOperation),
    metadataHash: metadata.deletionTimestamp === undefined ? undefined : metadataHashOf(object),
  }
}

/** Adds the pause of the shoot, for the kinds with functions that read its Cluster. */
export const withShootPause = (
  kind: KindName,
  facts: Facts,
  pause: Pause | undefined,
  now: Timestamp,
): Facts =>
  pause === undefined || kindRules[kind].cluster === 'never'
    ? facts
    : { ...facts, pause: laterPause(facts.pause, pause, now) }

/**
 * A step writes the wait after its success before the success: a crash between the two writes must not lose the wait.
 * Until then the wait is still the claim.
 */
const stepSince = (
  step: StepAnnotation | undefined,
  last: LastOperationFacts | undefined,
): StepAnnotation | undefined => {
  if (step?.claimedUntil === undefined || lastOperationMark(last) !== step.was) return step
  const { claimedUntil, durationMs: _, ...claim } = step
  return { ...claim, phase: 'claimed', until: claimedUntil }
}

/** Returns an unknown value of the operation annotation, which every backend ignores, or undefined. */
export const unknownOperationOf = ({ metadata }: KubernetesObject): string | undefined => {
  const value: unknown = metadata.annotations?.[annotations.operation]
  return typeof value !== 'string' || value === '' || requestedOperations.some(known => known === value)
    ? undefined
    : value
}

/** Longest part of the annotation's value in a message, in characters. */
const longestShown = 63

/** Returns the message to users that such a value has no effect. */
export const unknownOperationText = (value: string): string => {
  const near = nearestName(value, requestedOperations)
  return `${annotations.operation} ${JSON.stringify(value.slice(0, longestShown))} is ignored: expected one of ${requestedOperations.join(', ')}${near === undefined ? '' : `. Did you mean ${near}?`}`
}

/**
 * Returns a foreign text in a form for annotations: the text, or its SHA-256 if it is longer than `longestRemembered`.
 * Equal only for equal texts.
 */
export const boundedText = (text: string): string =>
  text.length <= longestRemembered ? text : `sha256:${sha256Of(text)}`

/** Returns a short text that is equal only for an equal `lastOperation`; '' without one. */
export const lastOperationMark = (last: LastOperationFacts | undefined): string =>
  last === undefined ? '' : boundedText(`${last.type}/${last.state}/${last.lastUpdateTime}`)

/** Annotations that a backend writes or answers. */
const ownAnnotations: ReadonlySet<string> = new Set([annotations.step, annotations.operation])

/**
 * Returns a hash of the metadata that only others write: labels, annotations except the backend's and those of secondary functions, owners. Finalizers,
 * versions and managed fields do not count. It lets the UPDATE rule for an object in deletion follow from the object
 * alone (docs/contract/lifecycle.md#when-work-is-due: an unchanged status means that a user touched the object to
 * request a retry).
 */
export const metadataHashOf = ({ metadata }: KubernetesObject): string => {
  const sorted = (entries: Readonly<Record<string, string>> = {}) =>
    Object.entries(entries)
      .filter(([key]) => !ownAnnotations.has(key) && !key.startsWith(secondaryPrefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const hash = hashOf(
    JSON.stringify([sorted(metadata.labels), sorted(metadata.annotations), metadata.ownerReferences]),
  )
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** A request of gardenlet or a user in the object's metadata. */
export interface OperationRequest {
  readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
  /** Differs between two requests for the same operation if their timestamps differ. */
  readonly id: string
}

/**
 * Returns the request on the object by the rules of dispatch: migrate overrides deletion, deletion overrides the rest
 * (docs/contract/lifecycle.md#operation-type).
 */
export const requestOf = (kind: KindName, facts: Facts): OperationRequest | undefined => {
  const { requested, timestamp, deletionTimestamp } = facts
  if (requested === 'migrate' && kindRules[kind].migrates)
    return { operation: 'migrate', id: boundedText(`migrate@${timestamp}`) }
  if (deletionTimestamp !== undefined)
    return { operation: 'delete', id: boundedText(`delete@${deletionTimestamp}@${timestamp}`) }
  switch (requested) {
    case 'migrate':
      // A kind that cannot migrate reconciles and never consumes the annotation (docs/contract/lifecycle.md#dispatch).
      return { operation: 'reconcile', id: boundedText(`migrate@${timestamp}`) }
    case 'restore':
      return {
        operation: kindRules[kind].migrates ? 'restore' : 'reconcile',
        id: boundedText(`restore@${timestamp}`),
      }
    case 'reconcile':
      return { operation: 'reconcile', id: boundedText(`reconcile@${timestamp}`) }
    default:
      return undefined
  }
}

/**
 * Returns true if the step in the annotation has written `Succeeded` since its claim. Compares with the `lastOperation`
 * before the claim, because times in whole seconds are too coarse.
 */
export const stepSucceeded = (facts: Facts): boolean =>
  facts.lastOperation?.state === 'Succeeded' && lastOperationMark(facts.lastOperation) !== facts.step?.was

/**
 * Returns true if the step has already answered a request that still exists: a kind that cannot migrate never consumes
 * `migrate` and `restore`.
 */
const answered = (kind: KindName, facts: Facts, request: OperationRequest): boolean =>
  !kindRules[kind].migrates &&
  facts.requested !== 'reconcile' &&
  request.operation === 'reconcile' &&
  facts.step?.request === request.id &&
  facts.step.generation === facts.generation &&
  stepSucceeded(facts)

/** Returns the unanswered request. */
export const openRequest = (kind: KindName, facts: Facts): OperationRequest | undefined => {
  const request = requestOf(kind, facts)
  return request !== undefined && answered(kind, facts, request) ? undefined : request
}

/**
 * Returns true if a step holds the object: it has a claim and has not ended. `Succeeded` ends a step unless metadata
 * writes follow (finalizer of a delete, annotation of a migrate or restore): then the request must be gone too. `Error`
 * and progress do not end it; the wait that is written afterwards does.
 */
export const holdsClaim = (kind: KindName, facts: Facts): boolean => {
  const { step } = facts
  if (step?.phase !== 'claimed') return false
  if (!stepSucceeded(facts)) return true
  const request = openRequest(kind, facts)
  return request !== undefined && request.operation !== 'reconcile' && request.id === step.request
}

/** Returns true if the previous step ended with *continue* and no request has arrived since. */
export const isResumed = (
  { step, generation, lastOperation }: Facts,
  request: OperationRequest | undefined,
): boolean =>
  step?.phase === 'waiting' &&
  step.interrupted !== true &&
  lastOperation?.state === 'Processing' &&
  step.generation === generation &&
  (request === undefined || request.id === step.request)
