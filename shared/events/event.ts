import type { CloudEventV1 } from 'cloudevents'
import { deepestJson, isDeeper } from '../decode/json-bounds.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** The operation of an event: the last part of its type. A `healthcheck` runs no step and only updates conditions. */
export const eventOperations = [
  'reconcile',
  'delete',
  'migrate',
  'restore',
  'continue',
  'healthcheck',
] as const
export type EventOperation = (typeof eventOperations)[number]
/** The operations that run a step. */
export type WorkOperation = Exclude<EventOperation, 'healthcheck'>

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
  /** `spec.type` */
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
  /** The object without managedFields and last-applied. Undefined if it is too large. */
  readonly data?: NonNullable<CloudEventV1<KubernetesObject>['data']>
}

/**
 * Annotation in an event's *data* (never on the live object): comma-separated paths that were omitted because the
 * object was too large or too deep, such as `status.state`. With `spec` among them, the data is only a reference.
 */
export const omittedAnnotation = 'trellis.gardener.cloud/omitted'

/**
 * A CloudEvent 1.0 of any type, as brokers and hosts forward it. `attributes` has every context attribute and extension
 * in its canonical string form, with `datacontenttype`; `body` has the bytes of the data.
 */
export interface CloudEvent {
  readonly attributes: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

/** Not a CloudEvent, or not an event of this system. The message names the attribute, never the data's value. */
export class MalformedEventError extends Error {
  override readonly name = 'MalformedEventError'
  readonly attribute: string | undefined

  constructor(attribute: string | undefined, problem: string, cause?: unknown) {
    super(
      attribute === undefined ? problem : `${attribute}: ${problem}`,
      cause === undefined ? {} : { cause },
    )
    this.attribute = attribute
  }
}

/** `application/json`, `text/json`, `…+json`, or no content type (JSON event format, section 3.1). */
export const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^[^/]+\/([^;]+\+)?json\s*(;|$)/i.test(contentType)

/** Also throws for JSON that is too deep to write again. */
export const parseJson = (body: Uint8Array, attribute: string | undefined): unknown => {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // The parser's message quotes the text, which may be secret.
    throw new MalformedEventError(attribute, 'not valid JSON in UTF-8')
  }
  expectShallow(value, attribute)
  return value
}

export const expectShallow = (value: unknown, attribute: string | undefined): void => {
  if (isDeeper(value)) throw new MalformedEventError(attribute, `nested deeper than ${deepestJson} levels`)
}
