import { annotations, type RequestedOperation, requestedOperations } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'
import { nearestName } from '../../contract/nearest-name.ts'
import { parseStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import { boundedText } from '../../events/events.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { kindRules } from './kind-rules.ts'

/**
 * What the lifecycle reads of an object, whatever else is wrong with it: an object that breaks its schema still has
 * an operation, and the function reports the problem on it.
 */
export interface Facts {
  readonly uid: string
  readonly generation: number
  readonly resourceVersion: string
  /** `spec.type` */
  readonly provider: string
  /** `spec.class`; absent and empty count as `shoot`. */
  readonly extensionClass: string
  /** The operation annotation, when it is one of the four that backends know. */
  readonly requested: RequestedOperation | undefined
  /** `gardener.cloud/timestamp` as it stands. */
  readonly timestamp: string
  readonly deletionTimestamp: string | undefined
  readonly finalizers: readonly string[]
  readonly lastOperation: LastOperationFacts | undefined
  readonly step: StepAnnotation | undefined
  /** `metadataHashOf` while it is being deleted, else undefined. */
  readonly metadataHash: string | undefined
}

export interface LastOperationFacts {
  readonly type: string
  readonly state: string
  readonly lastUpdateTime: string
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads the facts of an object; never throws. */
export const factsOf = (object: KubernetesObject): Facts => {
  const { metadata } = object
  const spec = record(object.spec)
  const last = record(record(object.status).lastOperation)
  const annotation = metadata.annotations?.[annotations.operation]
  return {
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? '',
    provider: text(spec.type),
    extensionClass: text(spec.class) || 'shoot',
    requested: requestedOperations.find(value => value === annotation),
    timestamp: metadata.annotations?.[annotations.timestamp] ?? '',
    deletionTimestamp: metadata.deletionTimestamp,
    finalizers: metadata.finalizers ?? [],
    lastOperation:
      text(last.type) === '' && text(last.state) === ''
        ? undefined
        : { type: text(last.type), state: text(last.state), lastUpdateTime: text(last.lastUpdateTime) },
    step: parseStepAnnotation(metadata.annotations?.[annotations.step]),
    metadataHash: metadata.deletionTimestamp === undefined ? undefined : metadataHashOf(object),
  }
}

/** An unknown value of the operation annotation, which every backend ignores. Undefined: there is none. */
export const unknownOperationOf = ({ metadata }: KubernetesObject): string | undefined => {
  const value: unknown = metadata.annotations?.[annotations.operation]
  return typeof value !== 'string' || value === '' || requestedOperations.some(known => known === value)
    ? undefined
    : value
}

/** The most characters of the annotation's value in a message. */
const longestShown = 63

/** The reason for users why such a value has no effect. */
export const unknownOperationText = (value: string): string => {
  const near = nearestName(value, requestedOperations)
  return `${annotations.operation} ${JSON.stringify(value.slice(0, longestShown))} is ignored: it is none of ${requestedOperations.join(', ')}${near === undefined ? '' : `. Did you mean ${near}?`}`
}

/** A short text that is the same exactly while `lastOperation` is the same; '' when there is none. */
export const lastOperationMark = (last: LastOperationFacts | undefined): string =>
  last === undefined ? '' : boundedText(`${last.type}/${last.state}/${last.lastUpdateTime}`)

/** What a backend itself writes, or answers. */
const ownAnnotations: ReadonlySet<string> = new Set([annotations.step, annotations.operation])

/**
 * A hash of the metadata that only others write: labels, annotations but for the backend's own, owners. Equal for
 * equal metadata; finalizers, versions and managed fields do not count. With it the UPDATE rule for a deleting object
 * (docs/contract/lifecycle.md#when-work-is-due: its status did not change, so somebody touched it and wants it tried
 * again) follows from the object alone.
 */
export const metadataHashOf = ({ metadata }: KubernetesObject): string => {
  const sorted = (entries: Readonly<Record<string, string>> = {}) =>
    Object.entries(entries)
      .filter(([key]) => !ownAnnotations.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  return hashOf(
    JSON.stringify([sorted(metadata.labels), sorted(metadata.annotations), metadata.ownerReferences]),
  )
}

/** FNV-1a, 32 bits, as eight hexadecimal digits: two touches in four thousand million look like none. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Something that gardenlet or a user asks for, as it stands in the object's metadata. */
export interface OperationRequest {
  readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
  /** Differs between two requests for the same operation, as far as they carry different timestamps. */
  readonly id: string
}

/**
 * The request that stands on the object, by the rules of dispatch: migrate beats deletion, deletion beats the rest
 * (docs/contract/lifecycle.md#operation-type).
 */
export const requestOf = (kind: KindName, facts: Facts): OperationRequest | undefined => {
  const { requested, timestamp, deletionTimestamp } = facts
  if (requested === 'migrate' && kindRules[kind].migrates) {
    return { operation: 'migrate', id: boundedText(`migrate@${timestamp}`) }
  }
  if (deletionTimestamp !== undefined) {
    return { operation: 'delete', id: boundedText(`delete@${deletionTimestamp}@${timestamp}`) }
  }
  switch (requested) {
    case 'migrate':
      // A kind that cannot migrate reconciles, and never consumes the annotation
      // (docs/contract/lifecycle.md#dispatch).
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
 * Whether the step in the annotation has written `Succeeded` since it claimed the object. Compared with the
 * `lastOperation` of before the claim, because times in whole seconds cannot tell.
 */
export const stepSucceeded = (facts: Facts): boolean =>
  facts.lastOperation?.state === 'Succeeded' && lastOperationMark(facts.lastOperation) !== facts.step?.was

/**
 * Whether the request is one that the step has answered already although it still stands: a kind that cannot migrate
 * never consumes `migrate` and `restore`.
 */
const answered = (kind: KindName, facts: Facts, request: OperationRequest): boolean =>
  !kindRules[kind].migrates &&
  facts.requested !== 'reconcile' &&
  request.operation === 'reconcile' &&
  facts.step?.request === request.id &&
  facts.step.generation === facts.generation &&
  stepSucceeded(facts)

/** The request that still wants an answer. */
export const openRequest = (kind: KindName, facts: Facts): OperationRequest | undefined => {
  const request = requestOf(kind, facts)
  return request !== undefined && answered(kind, facts, request) ? undefined : request
}

/**
 * Whether a step holds the object: it claimed it, and has not come to its end. `Succeeded` ends a step, except where
 * metadata writes follow it (finalizer of a delete, annotation of a migrate or restore): then the request itself has
 * to be gone. `Error` and progress do not end it: the wait that is written after them does.
 */
export const holdsClaim = (kind: KindName, facts: Facts): boolean => {
  const { step } = facts
  if (step?.phase !== 'claimed') return false
  if (!stepSucceeded(facts)) return true
  const request = openRequest(kind, facts)
  return request !== undefined && request.operation !== 'reconcile' && request.id === step.request
}

/** Whether the step before ended by *continue*, and nothing has been asked for since. */
export const isResumed = (
  { step, generation, lastOperation }: Facts,
  request: OperationRequest | undefined,
): boolean =>
  step?.phase === 'waiting' &&
  lastOperation?.state === 'Processing' &&
  step.generation === generation &&
  (request === undefined || request.id === step.request)
