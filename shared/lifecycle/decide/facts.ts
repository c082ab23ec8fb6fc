import { annotations, type RequestedOperation, requestedOperations } from '../../contract/constants.ts'
import { parseStepAnnotation, type StepAnnotation } from '../../contract/step-annotation.ts'
import { boundedText } from '../../events/bounded-text.ts'
import type { KubernetesObject } from '../../kubernetes/port.ts'
import { metadataHashOf } from './metadata-hash.ts'

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

/** A short text that is the same exactly while `lastOperation` is the same; '' when there is none. */
export const lastOperationMark = (last: LastOperationFacts | undefined): string =>
  last === undefined ? '' : boundedText(`${last.type}/${last.state}/${last.lastUpdateTime}`)
