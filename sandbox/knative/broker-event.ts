import type { DeliveryAttempt } from './deliver.ts'
import type { BrokeredEvent } from './http-binding.ts'

/** An event in the broker. Names of Brokers and Triggers are `<namespace>/<name>`. */
export type BrokerEvent =
  | { readonly kind: 'received'; readonly broker: string; readonly event: BrokeredEvent }
  /** No Trigger matches it: it reaches no function. */
  | { readonly kind: 'unmatched'; readonly broker: string; readonly event: BrokeredEvent }
  /** Its id was stored recently: it is accepted but not stored again. */
  | { readonly kind: 'duplicate'; readonly broker: string; readonly event: BrokeredEvent }
  | { readonly kind: 'refused'; readonly broker: string; readonly problem: string }
  | ({
      readonly kind: 'attempt'
      readonly trigger: string
      readonly event: BrokeredEvent
      readonly durationMs: number
    } & DeliveryAttempt)
  | { readonly kind: 'delivered'; readonly trigger: string; readonly event: BrokeredEvent }
  | ({ readonly kind: 'dead-letter' } & DeadLetter)
  /** The storage has closed the channel of a dispatcher: all that it had not acknowledged is delivered again. */
  | { readonly kind: 'channel-closed'; readonly trigger: string; readonly why: string }

/** An event that its Trigger could not deliver. It is recorded here whether or not a dead letter sink accepted it. */
export interface DeadLetter {
  readonly trigger: string
  /** With `knativeerrordest`, and `knativeerrorcode` and `knativeerrordata` if there was a response. */
  readonly event: BrokeredEvent
  readonly reason: string
  readonly sink: 'none' | 'delivered' | 'failed'
}

export type BrokerCounts = Readonly<Record<BrokerEvent['kind'], number>>

/** `unavailable`: no program of the broker runs. */
export type PublishResult = 'accepted' | 'no-such-broker' | 'ttl-expired' | 'unavailable'
