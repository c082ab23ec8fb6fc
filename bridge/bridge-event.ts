import type { Timestamp } from '../shared/clock/clock.ts'
import type { KindName } from '../shared/contract/kinds.ts'
import type { EventOperation } from '../shared/events/events.ts'
import type { RestartReason } from '../shared/kubernetes/kubernetes.ts'
import type { Reason } from '../shared/lifecycle/lifecycle.ts'
import type { CheckReason } from './health/next-check.ts'
import type { HoldReason, WaitReason } from './objects/decide.ts'
import type { EndedStep } from './outcomes/ended-step.ts'

/** Which event of which object. */
export interface About {
  readonly kind: KindName
  /** `<namespace>/<name>`, or `<name>`. */
  readonly object: string
  /** The CloudEvent's id. */
  readonly id: string
  readonly operation: EventOperation
  readonly reason: Reason
  readonly attempt: number
}

/** What happens in the bridge, for whoever wants to show or count it. */
export type BridgeEvent =
  /** An object has work to do now; `initial`: it was there at the start. */
  | ({ readonly type: 'due'; readonly initial: boolean } & About)
  /** There is work, but not now. */
  | ({ readonly type: 'later'; readonly at: Timestamp; readonly why: WaitReason } & About)
  /** There is work, but the shoot has to recover first. */
  | ({ readonly type: 'held'; readonly why: HoldReason } & About)
  /** The event goes out; `times`: how often, with this one; tries that the sink did not take do not count. */
  | ({ readonly type: 'emitted'; readonly times: number } & About)
  /** It has arrived: the sink says so, or its claim was seen first. `lagMs`: since the need was seen. */
  | ({
      readonly type: 'accepted'
      readonly times: number
      readonly by: 'answer' | 'claim'
      readonly lagMs: number
    } & About)
  /** Neither answered nor claimed for a while. The request goes on without a place in the queue. */
  | ({ readonly type: 'unanswered' } & About)
  /** A request ended. `status`: what the sink answered, 'none' where no answer came. */
  | ({
      readonly type: 'answered'
      readonly tookMs: number
      readonly status: 'accepted' | 'none' | number
    } & About)
  /**
   * It was sent `times` times and nobody claims the object. `provider`: its `spec.type`; `known`: those that somebody
   * is there for, as far as the process knows. With `times` 0 it knows already that nobody will.
   */
  | ({
      readonly type: 'unclaimed'
      readonly times: number
      readonly provider: string
      readonly known: readonly string[]
      readonly apiVersion: string
      readonly uid: string
    } & About)
  /** The sink did not take it; it is sent again. */
  | ({
      readonly type: 'retried'
      readonly why: string
      /** What it answered, or why it was not reached. */
      readonly status: number | undefined
      readonly code: string | undefined
    } & About)
  /** The sink refuses it, and is asked again later and later; or (status 0) it cannot be sent until the object changes. */
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
  /** A check of an object's health was ordered, for whatever `reason`. `why`: what the sink said, or why there is no event. */
  | {
      readonly type: 'health'
      readonly kind: KindName
      readonly object: string
      readonly reason: CheckReason
      readonly outcome: 'accepted' | 'unanswered' | 'retried' | 'refused' | 'impossible'
      readonly why?: string
    }
  /** A step has ended, as its object shows. Every bridge tells it, also one that does not send. */
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
  /** This bridge begins to send, or stops. */
  | { readonly type: 'leadership'; readonly leading: boolean }
  | { readonly type: 'synced'; readonly resource: string; readonly objects: number }

export type Observe = (event: BridgeEvent) => void
