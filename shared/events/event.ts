import type { CloudEventV1 } from 'cloudevents'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** What an event can ask for: the last part of its type. A `healthcheck` makes no step: only conditions follow from it. */
export const eventOperations = [
  'reconcile',
  'delete',
  'migrate',
  'restore',
  'continue',
  'healthcheck',
] as const
export type EventOperation = (typeof eventOperations)[number]
/** What makes a step. */
export type WorkOperation = Exclude<EventOperation, 'healthcheck'>

type CoreAttribute = 'id' | 'source' | 'type' | 'subject' | 'time'

/**
 * What the bridge says about an object: "this one has work to do". CloudEvents 1.0 attributes and extensions of
 * docs/architecture.md#events; extension values are strings on the wire. Of the SDK's type those attributes that every
 * event here has: as a whole it would take any other name for one as well.
 */
export interface ExtensionEvent
  extends Readonly<Required<Pick<CloudEventV1<KubernetesObject>, CoreAttribute>>> {
  /** Deterministic from uid, generation, operation and cause: the same cause repeats the id. */
  readonly id: string
  /** `/seeds/<seed>` */
  readonly source: string
  /** `cloud.gardener.extensions.<lower-case kind>.<operation>` */
  readonly type: string
  /** `<namespace>/<name>`, or `<name>` for a cluster-scoped object. */
  readonly subject: string
  /** RFC 3339; when the change was seen. */
  readonly time: string
  readonly operation: EventOperation
  /** Kind as in the API: `DNSRecord`. */
  readonly kind: string
  readonly apiversion: string
  readonly name: string
  readonly namespace?: string
  /** `spec.type` */
  readonly provider: string
  /** `spec.class`, `shoot` when absent. */
  readonly extclass: string
  readonly objectuid: string
  readonly generation: number
  readonly resourceversion: string
  /** How often this operation was tried before: 0 for the first time. */
  readonly attempt: number
  /** Why it is sent: `annotation`, `deletion`, `created`, `resume`, `due`, `expired`, `unhealthy`, … */
  readonly reason: string
  /** = uid: events of one object stay in order on a partitioned broker. */
  readonly partitionkey: string
  readonly traceparent?: string
  /** The object without managedFields and last-applied; undefined when it is too large to send along. */
  readonly data?: NonNullable<CloudEventV1<KubernetesObject>['data']>
}
