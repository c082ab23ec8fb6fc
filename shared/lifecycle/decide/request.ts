import type { KindName } from '../../contract/kinds.ts'
import { boundedText } from '../../events/bounded-text.ts'
import { type Facts, lastOperationMark } from './facts.ts'
import { kindRules } from './kind-rules.ts'

/** Something that gardenlet or a user asks for, as it stands in the object's metadata. */
export interface OperationRequest {
  readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
  /** Differs between two requests for the same operation, as far as they carry different timestamps. */
  readonly id: string
}

/** The finalizer that stands for "there may be something in the cloud". */
export interface FinalizerRule {
  /** Whether one of the object's finalizers is this backend's. */
  readonly isOwn: (finalizer: string) => boolean
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
