import type { KindName } from '../../shared/contract/kinds.ts'
import type { StepOperation } from '../../shared/contract/step-annotation.ts'
import type { CheckOrdered } from '../../shared/health/schedule/health-checks.ts'
import type { ObservationOrdered } from '../../shared/secondary/schedule/create-secondaries.ts'
import type { CoreEvent, Observe, Observer } from '../core/core.ts'

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
  readonly provider: string
  readonly operation: StepOperation
  readonly outcome: ShownOutcome
  /** Gardener's error codes of a failure; other codes are left out. */
  readonly codes: readonly string[]
  /** `lastError` of a step that failed, or that waits after `Succeeded`, without secrets; '' otherwise. */
  readonly description: string
  /** The number of consecutive failures, including this one. */
  readonly attempt: number
  /** The time from its claim to its end, as the process saw both; undefined if the claim is older than this process. */
  readonly tookMs: number | undefined
  /** For a success: the time since the request was seen; undefined if the request is older than this process. */
  readonly requestMs: number | undefined
}

/** Something that happens in the core or in an observer, to be shown or counted. */
export type BridgeEvent =
  | CoreEvent
  /** The operation annotation has an unknown value, so no function acts on the object. */
  | {
      readonly type: 'unknown operation'
      readonly kind: KindName
      readonly object: string
      readonly uid: string
      readonly why: string
    }
  | CheckOrdered
  | ObservationOrdered
  /** A step has ended, as its object shows. Every bridge reports it, even one that does not send. */
  | ({ readonly type: 'ended' } & EndedStep)

export type ObserveBridge = Observe<BridgeEvent>

/** Follows the core and the other observers. */
export type BridgeObserver = Observer<BridgeEvent>
