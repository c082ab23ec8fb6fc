import type { CloudEvent } from '../../shared/events/events.ts'
import type { DeliveryAttempt } from './deliver.ts'

/** What happens in the broker. Names of Brokers and Triggers are `<namespace>/<name>`. */
export type BrokerEvent =
  | { readonly kind: 'received'; readonly broker: string; readonly event: CloudEvent }
  /** No Trigger wants it: it reaches no function. */
  | { readonly kind: 'unmatched'; readonly broker: string; readonly event: CloudEvent }
  /** It was stored a moment ago: it is taken, and not stored again. */
  | { readonly kind: 'duplicate'; readonly broker: string; readonly event: CloudEvent }
  /** The ingress refused what came. */
  | { readonly kind: 'refused'; readonly broker: string; readonly problem: string }
  | ({
      readonly kind: 'attempt'
      readonly trigger: string
      readonly event: CloudEvent
      readonly durationMs: number
    } & DeliveryAttempt)
  | { readonly kind: 'delivered'; readonly trigger: string; readonly event: CloudEvent }
  | ({ readonly kind: 'dead-letter' } & DeadLetter)

/** An event that its Trigger could not deliver. Whether a sink took it or not, it is kept here too. */
export interface DeadLetter {
  readonly trigger: string
  /** With `knativeerrordest`, and `knativeerrorcode` and `knativeerrordata` when there was an answer. */
  readonly event: CloudEvent
  readonly reason: string
  readonly sink: 'none' | 'delivered' | 'failed'
}

export type BrokerCounts = Readonly<Record<BrokerEvent['kind'], number>>

export type PublishResult = 'accepted' | 'no-such-broker' | 'ttl-expired'
