import { createHash } from 'node:crypto'
import type { Timestamp } from '../clock/clock.ts'
import { formatMilliseconds } from '../clock/clock.ts'
import { isDeeper, isLonger } from '../contract/json-bounds.ts'
import { isRecord } from '../contract/record-of.ts'
import { longestRemembered } from '../contract/step-annotation.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { attributeLimits } from './attribute-limits.ts'
import type { EventOperation, ExtensionEvent } from './event.ts'

/** Bytes of JSON that an event's data may have; larger objects are sent without parts, or as a reference. */
export const dataLimit = 64 * 1024

/**
 * Annotation in an event's *data* (never on the live object): comma-separated paths that were left out because the
 * object was too large or too deep, `status.state`. `spec` among them: the data is a reference only.
 */
export const omittedAnnotation = 'trellis.gardener.cloud/omitted'

export interface EventInput {
  readonly object: KubernetesObject
  /** Kind as in the API: `DNSRecord`; objects of a list do not always carry it. */
  readonly kind: string
  readonly operation: EventOperation
  /** What in the object's history asks for the work; one cause makes one id, however often it is seen. */
  readonly cause: string
  readonly reason: string
  /** How often this operation was tried before; 0 for the first time. */
  readonly attempt: number
  /** `/seeds/<seed>` */
  readonly source: string
  /** When the change was seen. */
  readonly now: Timestamp
  readonly traceparent?: string | undefined
}

/**
 * Makes the event that says "this object has work to do" (docs/architecture.md#events). Throws a TypeError on a
 * Secret, whose values must never be in an event, on an object without uid or `spec.type`, and where an attribute
 * would be longer than `attributeLimits` lets it be.
 */
export const buildEvent = (input: EventInput): ExtensionEvent => {
  const { object, kind, operation, now } = input
  const { metadata } = object
  const spec = isRecord(object.spec) ? object.spec : {}
  if (kind === 'Secret' || object.kind === 'Secret') throw new TypeError('a Secret is never sent in an event')
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
        `${kind} ${metadata.name}: ${field} has more than the ${most} characters of an event`,
      )
    }
  }
  return event
}

/** What people know an attribute by, where they write it themselves. */
const fieldOf: Readonly<Record<string, string>> = { provider: 'spec.type', extclass: 'spec.class' }

/**
 * The event's id: a UUID of version 8 (RFC 9562: free use) from a SHA-256 of the four parts, so that a restarted or
 * a second bridge that sees the same cause repeats it.
 */
export const eventId = (
  uid: string,
  generation: number,
  operation: EventOperation,
  cause: string,
): string => {
  // JSON keeps the parts apart: no two different quadruples have the same text.
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

/** What takes room and is not needed to follow what happens; left out in this order until the rest fits. */
const bulkyParts = [
  ['status', 'state'],
  ['status', 'providerStatus'],
] as const

/**
 * What of an object goes into its event; undefined: so much that a reference has to do. The same again of what it
 * returned.
 */
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
 * A text that others wrote, as it may be remembered in an annotation: itself, or its SHA-256 where it is longer than
 * `longestRemembered`. Equal for equal texts, and for no others that anybody can find.
 */
export const boundedText = (text: string): string =>
  text.length <= longestRemembered ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`
