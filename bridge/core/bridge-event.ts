import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { StepOperation } from '../../shared/contract/step-annotation.ts'
import type { EventOperation } from '../../shared/events/events.ts'
import type { RestartReason } from '../../shared/kubernetes/kubernetes.ts'
import type { Reason } from '../../shared/lifecycle/lifecycle.ts'
import type { HoldReason, WaitReason } from './objects/decide.ts'

/** Identifies an event and its object. */
export interface About {
  readonly kind: KindName
  /** `<namespace>/<name>`, or `<name>`. */
  readonly object: string
  /** The id of the CloudEvent. */
  readonly id: string
  readonly operation: EventOperation
  readonly reason: Reason
  readonly attempt: number
}

/**
 * Why the health of an object is checked. `changed`: a dependency of the condition has changed. `unhealthy`: the
 * condition is not `True`, and may recover by an unwatched change. `refresh`: it is about to look old. `start`: changes
 * may have been missed.
 */
export type CheckReason = 'changed' | 'unhealthy' | 'refresh' | 'start'

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

/** Something that happens in the core or in an observer, to be shown or counted. */
export type BridgeEvent =
  /** An object has work to do now; `initial`: it existed at the start. */
  | ({ readonly type: 'due'; readonly initial: boolean } & About)
  /** There is work, but later. */
  | ({ readonly type: 'later'; readonly at: Timestamp; readonly why: WaitReason } & About)
  /** There is work, but the shoot has to recover first. */
  | ({ readonly type: 'held'; readonly why: HoldReason } & About)
  /**
   * The event is sent. `times`: the number of sends including this one, without attempts that the sink did not accept.
   */
  | ({ readonly type: 'emitted'; readonly times: number } & About)
  /**
   * The event has arrived: the sink has answered, or its claim was seen first. `lagMs`: the time since the need was
   * seen.
   */
  | ({
      readonly type: 'accepted'
      readonly times: number
      readonly by: 'answer' | 'claim'
      readonly lagMs: number
    } & About)
  /** The request is neither answered nor claimed for a while. It continues without a place in the queue. */
  | ({ readonly type: 'unanswered' } & About)
  /** A request ended. `status`: the sink's answer, 'none' if there was no answer. */
  | ({
      readonly type: 'answered'
      readonly tookMs: number
      readonly status: 'accepted' | 'none' | number
    } & About)
  /**
   * The event was sent `times` times without a claim. `provider`: its `spec.type`; `known`: the types with a function,
   * as far as the process knows. If `times` is 0, the process already knows that no function serves the type.
   */
  | ({
      readonly type: 'unclaimed'
      readonly times: number
      readonly provider: string
      readonly known: readonly string[]
      readonly apiVersion: string
      readonly uid: string
    } & About)
  /** The sink did not accept the event; the bridge sends it again. */
  | ({
      readonly type: 'retried'
      readonly why: string
      /** The sink's answer, or the reason why the sink was unreachable. */
      readonly status: number | undefined
      readonly code: string | undefined
    } & About)
  /**
   * The sink refuses the event, and the bridge retries at growing intervals; or (status 0) the event cannot be sent
   * until the object changes.
   */
  | ({ readonly type: 'parked'; readonly status: number; readonly why: string; readonly uid: string } & About)
  /** The operation annotation has an unknown value, so no function acts on the object. */
  | {
      readonly type: 'unknown operation'
      readonly kind: KindName
      readonly object: string
      readonly uid: string
      readonly apiVersion: string
      readonly why: string
    }
  /**
   * A health check of an object was ordered, for the given `reason`. `why`: the sink's answer, or the reason why there
   * is no event.
   */
  | {
      readonly type: 'health'
      readonly kind: KindName
      readonly object: string
      readonly reason: CheckReason
      readonly outcome: 'accepted' | 'unanswered' | 'retried' | 'refused' | 'impossible'
      readonly why?: string
    }
  /** A step has ended, as its object shows. Every bridge reports it, even one that does not send. */
  | ({ readonly type: 'ended' } & EndedStep)
  | {
      readonly type: 'restarted'
      readonly resource: string
      readonly reason: RestartReason
      readonly relist: boolean
      readonly error?: unknown
    }
  /** The API server serves the resource again after a failure. */
  | { readonly type: 'recovered'; readonly resource: string }
  /** This bridge starts to send, or stops. */
  | { readonly type: 'leadership'; readonly leading: boolean }
  | { readonly type: 'synced'; readonly resource: string; readonly objects: number }

export type Observe = (event: BridgeEvent) => void
