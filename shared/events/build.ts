import { createHash } from 'node:crypto'
import type { Timestamp } from '../clock/clock.ts'
import { formatMilliseconds } from '../clock/clock.ts'
import { isDeeper, isLonger } from '../contract/json-bounds.ts'
import { isRecord } from '../contract/record-of.ts'
import { longestRemembered } from '../contract/step-annotation.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { attributeLimits } from './attribute-limits.ts'
import type { EventOperation, ExtensionEvent } from './event.ts'

/** Maximum data of an event as bytes of JSON. Larger objects are sent without some parts, or as a reference. */
export const dataLimit = 64 * 1024

/**
 * Annotation in an event's *data* (never on the live object): comma-separated paths that were omitted because the
 * object was too large or too deep, such as `status.state`. With `spec` among them, the data is only a reference.
 */
export const omittedAnnotation = 'trellis.gardener.cloud/omitted'

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
  if (typeof spec.type !== 'string' || spec.type === '') {
    throw new TypeError(`${kind} ${metadata.name} has no spec.type`)
  }
  const generation = metadata.generation ?? 0
  const data = eventData({ ...object, kind })
  const event: ExtensionEvent = {
    id: eventId(metadata.uid, generation, operation, input.cause),
    source: input.source,
    type: eventType(kind, operation),
    subject: metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name,
    time: formatMilliseconds(now),
    operation,
    kind,
    apiversion: object.apiVersion,
    name: metadata.name,
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    provider: spec.type,
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
  for (const [attribute, most] of Object.entries(attributeLimits)) {
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
  const hash = createHash('sha256')
    .update(JSON.stringify([uid, generation, operation, cause]))
    .digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** `cloud.gardener.extensions.dnsrecord.reconcile` */
export const eventType = (kind: string, operation: EventOperation): string =>
  `cloud.gardener.extensions.${kind.toLowerCase()}.${operation}`

/** Large parts that observers do not need. They are omitted in this order until the rest fits. */
const bulkyParts = [
  ['status', 'state'],
  ['status', 'providerStatus'],
] as const

/** Returns the object's data for its event, or undefined if it must be a reference. Idempotent. */
export const eventData = (object: KubernetesObject): KubernetesObject | undefined => {
  let data = withoutBookkeeping(object)
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

const withoutBookkeeping = (object: KubernetesObject): KubernetesObject => {
  const { managedFields: _, annotations, ...metadata } = object.metadata
  if (annotations === undefined) return { ...object, metadata }
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...kept } = annotations
  return { ...object, metadata: { ...metadata, annotations: kept } }
}

const fits = (data: KubernetesObject): boolean =>
  !isLonger(data, dataLimit) && !isDeeper(data) && Buffer.byteLength(JSON.stringify(data)) <= dataLimit

/**
 * Returns a foreign text in a form for annotations: the text, or its SHA-256 if it is longer than `longestRemembered`.
 * Equal only for equal texts.
 */
export const boundedText = (text: string): string =>
  text.length <= longestRemembered ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`
