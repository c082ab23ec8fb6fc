import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
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

/** Something that happens in the core, to be shown or counted. */
export type CoreEvent =
  /** An object has work to do now; `initial`: it existed at the start. */
  | ({ readonly type: 'due'; readonly initial: boolean } & About)
  /** There is work, but later. */
  | ({
      readonly type: 'later'
      readonly at: Timestamp
      readonly why: WaitReason
      readonly uid: string
    } & About)
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
  /**
   * The broker could not deliver the event, for the `times`-th time in a row. It is sent again `at` this time, if its
   * object still needs it.
   */
  | ({
      readonly type: 'lost'
      readonly why: string
      readonly times: number
      readonly at: Timestamp
      readonly uid: string
    } & About)
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

export type Observe<Event = CoreEvent> = (event: Event) => void
