import type { KindName } from '../../shared/contract/kinds.ts'
import type { StepOperation } from '../../shared/contract/step-annotation.ts'

/** The outcome of a step, as its object shows it. */
export type ShownOutcome =
  | 'succeeded'
  | 'failed'
  | 'continues'
  /** The step could not read or write something it needs: `lastOperation` is not `Error`. */
  | 'waits'
  /** The step has not written a result: it was killed, cut off, or too slow. Another step has taken over. */
  | 'expired'

export interface EndedStep {
  readonly kind: KindName
  /** `<namespace>/<name>`, or `<name>`. */
  readonly object: string
  readonly uid: string
  readonly apiVersion: string
  readonly provider: string
  readonly operation: StepOperation
  readonly outcome: ShownOutcome
  /** Gardener's error codes of a failure; other codes are left out. */
  readonly codes: readonly string[]
  /** `lastError` of a step that failed, or that waits after `Succeeded`, without secrets; '' otherwise. */
  readonly description: string
  /** The number of consecutive failures, including this one. */
  readonly attempt: number
  /**
   * The time from its claim to its end, as the process saw both; undefined if the claim is older than this process.
   */
  readonly tookMs: number | undefined
  /** For a success: the time since the request was seen; undefined if the request is older than this process. */
  readonly requestMs: number | undefined
}
