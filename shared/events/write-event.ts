import { hash } from 'node:crypto'
import { CloudEvent, HTTP } from 'cloudevents'
import type { Timestamp } from '../clock/clock.ts'
import { formatMilliseconds } from '../clock/clock.ts'
import { isCertainlyWithin, isDeeper, isLonger } from '../decode/json-bounds.ts'
import { isRecord } from '../decode/record-of.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { attributeLimits } from './attribute-limits.ts'
import { type EventOperation, type ExtensionEvent, eventTypePrefix } from './event.ts'
import { omittedAnnotation } from './read-event.ts'

/** Maximum data of an event as bytes of JSON. Larger objects are sent without some parts, or as a reference. */
export const dataLimit = 64 * 1024

export interface EventInput {
  readonly object: KubernetesObject
  /** Kind as in the API: `DNSRecord`. Objects of a list may lack it. */
  readonly kind: string
  readonly operation: EventOperation
  /** The part of the object's history that requests the work. The same cause always has the same id. */
  readonly cause: string
  readonly reason: string
  /** Number of earlier attempts of this operation; 0 for the first. */
  readonly attempt: number
  /** `/seeds/<seed>` */
  readonly source: string
  /** Time of the observed change. */
  readonly now: Timestamp
  readonly traceparent?: string | undefined
  /** The attribute `provider`. Default: `spec.type`. */
  readonly provider?: string
}

/**
 * Creates the event "this object has work to do" (docs/architecture.md#events). Throws a TypeError for a Secret, which
 * must never be in an event, for an object without uid or `spec.type`, and for an attribute above `attributeLimits`.
 */
export const buildEvent = (input: EventInput): ExtensionEvent => {
  const { object, kind, operation, now } = input
  const { metadata } = object
  const spec = isRecord(object.spec) ? object.spec : {}
  if (kind === 'Secret' || object.kind === 'Secret') throw new TypeError('an event must not contain a Secret')
  if (!metadata.uid) throw new TypeError(`${kind} ${metadata.name} has no metadata.uid`)
  if (typeof spec.type !== 'string' || spec.type === '')
    throw new TypeError(`${kind} ${metadata.name} has no spec.type`)
  const generation = metadata.generation ?? 0
  const data = eventData({ ...object, kind })
  const event: ExtensionEvent = {
    id: eventId(metadata.uid, generation, operation, input.cause),
    source: input.source,
    type: `${eventTypePrefix}${kind.toLowerCase()}.${operation}`,
    subject: metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name,
    time: formatMilliseconds(now),
    operation,
    kind,
    apiversion: object.apiVersion,
    name: metadata.name,
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    provider: input.provider ?? spec.type,
    extclass: typeof spec.class === 'string' && spec.class !== '' ? spec.class : 'shoot',
    objectuid: metadata.uid,
    generation,
    resourceversion: metadata.resourceVersion ?? '',
    attempt: input.attempt,
    reason: input.reason,
    partitionkey: metadata.uid,
    ...(input.traceparent === undefined ? {} : { traceparent: input.traceparent }),
    ...(data === undefined ? {} : { data }),
  }
  for (const [attribute, most] of limits) {
    const value = event[attribute as keyof typeof attributeLimits]
    if (String(value ?? '').length > most) {
      const field = fieldOf[attribute] ?? attribute
      throw new TypeError(
        `${kind} ${metadata.name}: ${field} exceeds the limit of ${most} characters in an event`,
      )
    }
  }
  return event
}

const limits = Object.entries(attributeLimits)

/** Attributes that users write, by field name. */
const fieldOf: Readonly<Record<string, string>> = { provider: 'spec.type', extclass: 'spec.class' }

/**
 * Returns the event's id: a UUID of version 8 (RFC 9562: free use) from a SHA-256 of the four parts. A restarted or
 * second bridge repeats it for the same cause.
 */
export const eventId = (
  uid: string,
  generation: number,
  operation: EventOperation,
  cause: string,
): string => {
  // JSON separates the parts: different inputs have different texts.
  const hex = sha256Of(JSON.stringify([uid, generation, operation, cause]))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the SHA-256 of a text in hexadecimal form. */
export const sha256Of = (text: string): string => hash('sha256', text)

/** `traceparent` of W3C Trace Context, version 00: `00-<trace id>-<parent id>-<flags>`. */
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * Returns the trace context of an event. It continues the object's trace, which requested the work. Without one, each
 * cause is a trace: equal event ids have equal traces, so that a repeat appears beside the first event.
 */
export const traceparentOf = (id: string, carried?: string): string => {
  const [, trace, parent, flags] = traceparentPattern.exec(carried ?? '') ?? []
  const isUsable = trace !== undefined && parent !== undefined && /[^0]/.test(trace) && /[^0]/.test(parent)
  const span = sha256Of(isUsable ? `${id} ${parent}` : id).slice(0, 16)
  return `00-${isUsable ? trace : id.replaceAll('-', '')}-${span}-${(isUsable && flags) || '01'}`
}

/** Large parts that observers do not need. They are omitted in this order until the rest fits. */
const bulkyParts = [
  ['status', 'state'],
  ['status', 'providerStatus'],
] as const

/** Returns the object's data for its event, or undefined if it must be a reference. Idempotent. */
export const eventData = (object: KubernetesObject): KubernetesObject | undefined => {
  let data = withoutServerFields(object)
  const omitted: string[] = []
  for (const [section, part] of bulkyParts) {
    if (fits(data)) return data
    const holder = data[section]
    if (!isRecord(holder) || holder[part] === undefined) continue
    const { [part]: _, ...rest } = holder
    omitted.push(`${section}.${part}`)
    data = {
      ...data,
      [section]: rest,
      metadata: {
        ...data.metadata,
        annotations: { ...data.metadata.annotations, [omittedAnnotation]: omitted.join(',') },
      },
    }
  }
  return fits(data) ? data : undefined
}

const withoutServerFields = (object: KubernetesObject): KubernetesObject => {
  const { managedFields: _, annotations, ...metadata } = object.metadata
  if (annotations === undefined) return { ...object, metadata }
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = annotations
  return { ...object, metadata: { ...metadata, annotations: kept } }
}

/** Writes the JSON only if its size is in doubt: this runs for every event of the bridge. */
const fits = (data: KubernetesObject): boolean =>
  !isDeeper(data) &&
  (isCertainlyWithin(data, dataLimit) ||
    (!isLonger(data, dataLimit) && Buffer.byteLength(JSON.stringify(data)) <= dataLimit))

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The encoding of an event in HTTP: attributes as headers, or everything as one JSON document. */
export type ContentMode = 'binary' | 'structured'

/** Returns the HTTP message of an event as the CloudEvents SDK writes it, with additional extensions. */
export const eventMessage = (
  event: ExtensionEvent,
  mode: ContentMode = 'binary',
  extensions: Readonly<Record<string, string>> = {},
): HttpMessage => {
  const { headers, body } = HTTP[mode](toCloudEvent(event, extensions))
  const encoded: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    // The SDK encodes no header.
    encoded[name] = name.startsWith('ce-') ? encodeHeader(String(value)) : String(value)
  }
  return { headers: encoded, body: Buffer.from(String(body)) }
}

/** Returns the event in the JSON event format, in which events are saved and replayed. */
export const eventJson = (event: ExtensionEvent): Record<string, unknown> =>
  JSON.parse(toCloudEvent(event).toString())

/**
 * Returns the CloudEvent of an event. An event without data gets a reference (apiVersion, kind and the identifying
 * metadata, marked with `omittedAnnotation`), because the functions framework fails without a body.
 */
const toCloudEvent = (
  event: ExtensionEvent,
  extensions: Readonly<Record<string, string>> = {},
): CloudEvent<KubernetesObject> => {
  const written = {
    ...extensions,
    ...event,
    // The type contains it. The SDK writes no attribute that is undefined.
    operation: undefined,
    generation: String(event.generation),
    attempt: String(event.attempt),
    datacontenttype: 'application/json',
    data: event.data ?? reference(event),
  }
  // Not strict: `buildEvent` has checked the event, and the bridge would pay for a second check of each.
  return new CloudEvent(written, false)
}

const reference = (event: ExtensionEvent): KubernetesObject => ({
  apiVersion: event.apiversion,
  kind: event.kind,
  metadata: {
    name: event.name,
    ...(event.namespace === undefined ? {} : { namespace: event.namespace }),
    uid: event.objectuid,
    resourceVersion: event.resourceversion,
    generation: event.generation,
    annotations: { [omittedAnnotation]: 'spec,status' },
  },
})

/**
 * Encodes the value of a `ce-` header: space, double quote, percent and everything beyond printable ASCII as UTF-8
 * octets (HTTP binding 1.0.2, section 3.1.3.2).
 */
export const encodeHeader = (value: string): string =>
  value.replaceAll(/[^\u0021\u0023\u0024\u0026-\u007e]+/gu, text =>
    [...Buffer.from(text)].map(octet => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
