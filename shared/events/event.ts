import type { CloudEventV1 } from 'cloudevents'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/**
 * The operation of an event: the last part of its type. A `healthcheck` runs no step and only updates conditions. An
 * `observe` is for a secondary function (docs/secondary.md).
 */
export const eventOperations = [
  'reconcile',
  'delete',
  'migrate',
  'restore',
  'continue',
  'healthcheck',
  'observe',
] as const
export type EventOperation = (typeof eventOperations)[number]
/** The operations that run a step. */
export type WorkOperation = Exclude<EventOperation, 'healthcheck' | 'observe'>

/** The beginning of an event's type: `cloud.gardener.extensions.<lower-case kind>.<operation>`. */
export const eventTypePrefix = 'cloud.gardener.extensions.'

type CoreAttribute = 'id' | 'source' | 'type' | 'subject' | 'time'

/**
 * The bridge's message "this object has work to do". CloudEvents 1.0 attributes and the extensions of
 * docs/architecture.md#events; extension values are strings on the wire. Picks only the attributes of the SDK's type
 * that every event here has, because the full type allows any name.
 */
export interface ExtensionEvent
  extends Readonly<Required<Pick<CloudEventV1<KubernetesObject>, CoreAttribute>>> {
  /** Derived from uid, generation, operation and cause: the same cause repeats the id. */
  readonly id: string
  /** `/seeds/<seed>` */
  readonly source: string
  /** `cloud.gardener.extensions.<lower-case kind>.<operation>` */
  readonly type: string
  /** `<namespace>/<name>`, or `<name>` for a cluster-scoped object. */
  readonly subject: string
  /** RFC 3339: the time of the observed change. */
  readonly time: string
  readonly operation: EventOperation
  /** Kind as in the API: `DNSRecord`. */
  readonly kind: string
  readonly apiversion: string
  readonly name: string
  readonly namespace?: string
  /** `spec.type`; of an `observe` the route to its function (`routeOf` in shared/secondary). */
  readonly provider: string
  /** `spec.class`. Default: `shoot`. */
  readonly extclass: string
  readonly objectuid: string
  readonly generation: number
  readonly resourceversion: string
  /** Number of earlier attempts of this operation: 0 for the first. */
  readonly attempt: number
  /** The reason of the event: `annotation`, `deletion`, `created`, `resume`, `due`, `expired`, `unhealthy`, … */
  readonly reason: string
  /** The uid: events of one object are in order on a partitioned broker. */
  readonly partitionkey: string
  readonly traceparent?: string
  /** A secret of the sender and the broker: it proves that a report of a failed delivery is about this request. */
  readonly sending?: string
  /** The object without managedFields and last-applied. Undefined if it is too large. */
  readonly data?: NonNullable<CloudEventV1<KubernetesObject>['data']>
}
