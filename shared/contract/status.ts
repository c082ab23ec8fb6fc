import type { Timestamp } from '../clock/clock.ts'
import { formatSeconds } from '../clock/timestamp.ts'
import type { OperationType } from './constants.ts'
import type { ErrorCode } from './error-codes.ts'
import type { LastError, LastOperation } from './schemas/last-operation.ts'

export { type OperationTexts, operatingSystemConfigErrorPrefixes, operationTexts } from './operation-texts.ts'

/**
 * The part of a merge patch on `status` that tells an operation; times in whole seconds
 * (docs/contract/lifecycle.md#status-writes).
 */
export interface StatusPatch {
  readonly lastOperation: LastOperation
  /** null removes it; absent leaves it as it is. */
  readonly lastError?: LastErrorPatch | null
  readonly observedGeneration?: number
}

/** As a merge patch: `codes: null` removes the codes of the error before. */
export type LastErrorPatch = Omit<LastError, 'codes'> & { readonly codes: readonly ErrorCode[] | null }

/**
 * An operation has begun (1 %) or goes on (`progress` up to 99, with what is being waited for as the text). An error of
 * the attempt before stays visible meanwhile.
 */
export const processing = (type: OperationType, text: string, now: Timestamp, progress = 1): StatusPatch => ({
  lastOperation: lastOperationOf(type, 'Processing', progress, text, now),
})

/** An operation is done. `generation`: of the spec that was worked on. */
export const succeeded = (
  type: OperationType,
  text: string,
  now: Timestamp,
  generation: number,
): StatusPatch => ({
  lastOperation: lastOperationOf(type, 'Succeeded', 100, text, now),
  lastError: null,
  observedGeneration: generation,
})

/** An attempt failed. `description`: made by `errorDescription`; `generation`: of the spec that was worked on. */
export const failed = (
  type: OperationType,
  description: string,
  codes: readonly ErrorCode[],
  now: Timestamp,
  generation: number,
): StatusPatch => ({
  lastOperation: lastOperationOf(type, 'Error', 50, description, now),
  lastError: {
    description,
    codes: codes.length === 0 ? null : codes,
    lastUpdateTime: formatSeconds(now),
  },
  observedGeneration: generation,
})

/** Most of what somebody else said that goes into a status, in characters: an object holds 1.5 MB. */
const longestDescription = 16_384

/** `<prefix>: <message>`, the first letter in upper case, and no more than 16,384 characters of it. */
export const errorDescription = (prefix: string, message: string): string => {
  const text = `${prefix}: ${message}`
  const start = text.charAt(0).toUpperCase() + text.slice(1, longestDescription)
  return text.length > longestDescription ? `${start}…` : start
}

const lastOperationOf = (
  type: OperationType,
  state: 'Processing' | 'Succeeded' | 'Error',
  progress: number,
  description: string,
  now: Timestamp,
): LastOperation => ({ type, state, progress, description, lastUpdateTime: formatSeconds(now) })
