import type { KindName } from '../../shared/contract/kinds.ts'
import type { StepOperation } from '../../shared/contract/step-annotation.ts'

/** How a step ended, as its object shows. */
export type ShownOutcome =
  | 'succeeded'
  | 'failed'
  | 'continues'
  /** What the step needs could not be read or written: `lastOperation` is not `Error`. */
  | 'waits'
  /** It has written nothing down: killed, cut off, or too slow. Another one has taken over. */
  | 'expired'

/** A step that has ended. */
export interface EndedStep {
  readonly kind: KindName
  /** `<namespace>/<name>`, or `<name>`. */
  readonly object: string
  readonly uid: string
  readonly apiVersion: string
  readonly provider: string
  readonly operation: StepOperation
  readonly outcome: ShownOutcome
  /** Gardener's codes of a failure; of others none. */
  readonly codes: readonly string[]
  /** `lastError` of a step that failed, or that waits after `Succeeded`, secrets left out; '' otherwise. */
  readonly description: string
  /** Failures in a row, this one included. */
  readonly attempt: number
  /** From its claim to its end, as both were seen; undefined where the claim was there before this process. */
  readonly tookMs: number | undefined
  /** Of a success: since what it answers was seen; undefined where that was before this process. */
  readonly requestMs: number | undefined
}
