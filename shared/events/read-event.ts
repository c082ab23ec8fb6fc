import * as z from 'zod'
import { deepestJson, isDeeper } from '../decode/json-bounds.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { attributeLimits, cloudEventLimits } from './attribute-limits.ts'
import { type EventOperation, type ExtensionEvent, eventOperations, eventTypePrefix } from './event.ts'

/**
 * A CloudEvent 1.0 of any type, as brokers and hosts forward it. `attributes` has every context attribute and extension
 * in its canonical string form, with `datacontenttype`; `body` has the bytes of the data.
 */
export interface CloudEvent {
  readonly attributes: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

/** Header names in lower case, as in Node. `headersDistinct` separates repeated headers, `headers` does not. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

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

/**
 * Reads an event of this system from an HTTP message in either content mode. Throws `MalformedEventError` with the
 * attribute's name. Ignores foreign extensions, such as those of brokers.
 */
export const parseEvent = (headers: HttpHeaders, body: Uint8Array): ExtensionEvent =>
  fromCloudEvent(decodeHttp(headers, body))

/** Reads an event of this system from parsed JSON in the JSON event format. Throws `MalformedEventError`. */
export const parseEventJson = (value: unknown): ExtensionEvent => fromCloudEvent(decodeObject(value))

/** Reads an event of this system from any CloudEvent. Throws `MalformedEventError`. */
export const fromCloudEvent = (cloudEvent: CloudEvent): ExtensionEvent => {
  const parsed = attributesSchema.safeParse(cloudEvent.attributes)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new MalformedEventError(issue?.path.join('.') || undefined, issue?.message ?? 'not a Trellis event')
  }
  const { traceparent, namespace, ...attributes } = parsed.data
  const operation = operationOf(attributes.type)
  expectEqual('type', attributes.type, `${eventTypePrefix}${attributes.kind.toLowerCase()}.${operation}`)
  expectEqual('subject', attributes.subject, namespace ? `${namespace}/${attributes.name}` : attributes.name)
  expectEqual('partitionkey', attributes.partitionkey, attributes.objectuid)
  const data = dataOf(cloudEvent, attributes)
  return {
    ...attributes,
    operation,
    ...(namespace === undefined ? {} : { namespace }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(data === undefined ? {} : { data }),
  }
}

/**
 * Reads an HTTP message in binary or structured content mode (CloudEvents HTTP binding 1.0.2, section 3). Throws
 * `MalformedEventError`, also for a batch, because each event needs a separate response.
 *
 * Does not use the SDK's `HTTP.toEvent`, which changes events and accepts invalid ones (decision 0031).
 */
export const decodeHttp = (headers: HttpHeaders, body: Uint8Array): CloudEvent => {
  const contentType = single(headers, 'content-type')
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase()
  if (mediaType.startsWith('application/cloudevents-batch')) {
    throw new MalformedEventError(undefined, 'batches of events are not supported')
  }
  if (mediaType === 'application/cloudevents+json') return decodeObject(parseJson(body, undefined))
  if (mediaType.startsWith('application/cloudevents')) {
    throw new MalformedEventError(undefined, `unknown event format ${mediaType}`)
  }
  const attributes = emptyAttributes()
  for (const name of Object.keys(headers)) {
    if (!name.toLowerCase().startsWith('ce-')) continue
    const attribute = name.slice(3).toLowerCase()
    const value = single(headers, name)
    if (value !== undefined && attribute !== 'datacontenttype') attributes[attribute] = decodeHeader(value)
  }
  if (Object.keys(attributes).length === 0) {
    throw new MalformedEventError(
      undefined,
      'neither ce- headers nor the content type application/cloudevents+json',
    )
  }
  if (contentType !== undefined && body.length > 0) attributes.datacontenttype = contentType
  return checked({ attributes, ...(body.length > 0 ? { body } : {}) })
}

/** Reads a parsed event in the JSON event format. Throws `MalformedEventError`. */
export const decodeObject = (value: unknown): CloudEvent => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedEventError(undefined, 'not a JSON object')
  }
  const attributes = emptyAttributes()
  let data: unknown
  let base64: unknown
  for (const [name, field] of Object.entries(value)) {
    if (field === null || field === undefined) continue
    if (name === 'data') data = field
    else if (name === 'data_base64') base64 = field
    else if (typeof field === 'string') attributes[name] = field
    else if (typeof field === 'boolean' || Number.isInteger(field)) attributes[name] = String(field)
    else throw new MalformedEventError(name, 'expected a string, a boolean or an integer')
  }
  const body = bodyOf(data, base64, attributes)
  return checked({ attributes, ...(body === undefined ? {} : { body }) })
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

const expectShallow = (value: unknown, attribute: string | undefined): void => {
  if (isDeeper(value)) throw new MalformedEventError(attribute, `nested deeper than ${deepestJson} levels`)
}

/** No prototype: an extension may be called `constructor`. */
const emptyAttributes = (): Record<string, string> => Object.create(null) as Record<string, string>

const checked = (event: CloudEvent): CloudEvent => {
  const { attributes } = event
  for (const name of ['specversion', 'id', 'source', 'type']) {
    if (attributes[name] === undefined) throw new MalformedEventError(name, 'missing')
  }
  if (attributes.specversion !== '1.0') throw new MalformedEventError('specversion', 'expected 1.0')
  const entries = Object.entries(attributes)
  if (entries.length > cloudEventLimits.attributes) {
    throw new MalformedEventError(undefined, `more than ${cloudEventLimits.attributes} attributes`)
  }
  for (const [name, value] of entries) {
    if (!/^[a-z0-9]+$/.test(name)) {
      throw new MalformedEventError(
        name.slice(0, 40),
        'an attribute name may contain only lower-case letters and digits',
      )
    }
    if (name.length > cloudEventLimits.name) {
      throw new MalformedEventError(
        name.slice(0, 40),
        `an attribute name may have at most ${cloudEventLimits.name} characters`,
      )
    }
    if (value.length > cloudEventLimits.value) {
      throw new MalformedEventError(name, `longer than ${cloudEventLimits.value} characters`)
    }
    if (value === '' && coreAttributes.has(name)) throw new MalformedEventError(name, 'empty')
    if (controlCharacter.test(value)) throw new MalformedEventError(name, 'contains a control character')
  }
  if (attributes.time !== undefined && !isTime(attributes.time)) {
    throw new MalformedEventError('time', 'not an RFC 3339 time')
  }
  return event
}

const coreAttributes: ReadonlySet<string> = new Set(['id', 'source', 'type', 'subject', 'time'])

/** CloudEvents 1.0 type system: a String has no control characters. */
const controlCharacter = /\p{Cc}/u

const isTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
  !Number.isNaN(Date.parse(text))

const bodyOf = (
  data: unknown,
  base64: unknown,
  attributes: Record<string, string>,
): Uint8Array | undefined => {
  if (base64 !== undefined) {
    if (data !== undefined) throw new MalformedEventError('data_base64', 'must not be combined with data')
    if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
      throw new MalformedEventError('data_base64', 'not base64')
    }
    return Buffer.from(base64, 'base64')
  }
  if (data === undefined) return undefined
  if (isJson(attributes.datacontenttype)) {
    expectShallow(data, 'data')
    attributes.datacontenttype ??= 'application/json'
    return Buffer.from(JSON.stringify(data))
  }
  if (typeof data !== 'string')
    throw new MalformedEventError('data', 'expected a string for this datacontenttype')
  return Buffer.from(data)
}

const single = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  if (value === undefined || typeof value === 'string') return value
  if (value.length > 1) throw new MalformedEventError(name.replace(/^ce-/, ''), 'given more than once')
  return value[0]
}

const decodeHeader = (value: string): string => {
  const text = /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value
  try {
    return decodeURIComponent(text)
  } catch {
    // Senders that do not encode leave a bare percent sign; it means itself.
    return text
  }
}

const text = z.string({ error: issue => (issue.input === undefined ? 'missing' : 'expected a string') })
const filled = text.min(1, { error: 'empty' })
const count = text
  .regex(/^(0|[1-9]\d{0,14})$/, { error: 'expected a whole number in decimal digits' })
  .transform(Number)

const upTo = (most: number) => text.max(most, { error: `longer than ${most} characters` })
const filledUpTo = (most: number) => filled.max(most, { error: `longer than ${most} characters` })

const attributesSchema = z.object({
  id: filledUpTo(attributeLimits.id),
  source: filledUpTo(attributeLimits.source),
  type: filledUpTo(attributeLimits.type),
  subject: filledUpTo(attributeLimits.subject),
  time: filledUpTo(attributeLimits.time),
  kind: upTo(attributeLimits.kind).regex(/^[A-Z][A-Za-z0-9]*$/, {
    error: 'expected a kind such as DNSRecord',
  }),
  apiversion: upTo(attributeLimits.apiversion).regex(/^extensions\.gardener\.cloud\/v[a-z0-9]+$/, {
    error: 'expected extensions.gardener.cloud/<version>',
  }),
  name: filledUpTo(attributeLimits.name),
  namespace: filledUpTo(attributeLimits.namespace).optional(),
  provider: filledUpTo(attributeLimits.provider),
  extclass: filledUpTo(attributeLimits.extclass),
  objectuid: filledUpTo(attributeLimits.objectuid),
  generation: count,
  resourceversion: upTo(attributeLimits.resourceversion),
  attempt: count,
  reason: filledUpTo(attributeLimits.reason),
  partitionkey: filledUpTo(attributeLimits.partitionkey),
  traceparent: filledUpTo(attributeLimits.traceparent).optional(),
})

const dataSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
})

const dataOf = (
  { attributes, body }: CloudEvent,
  event: { readonly kind: string; readonly name: string; readonly objectuid: string },
): KubernetesObject | undefined => {
  if (body === undefined) return undefined
  if (!/^application\/json\s*(;|$)/i.test(attributes.datacontenttype ?? 'application/json')) {
    throw new MalformedEventError('datacontenttype', 'expected application/json')
  }
  const parsed = dataSchema.safeParse(parseJson(body, 'data'))
  if (!parsed.success) {
    const path = ['data', ...(parsed.error.issues[0]?.path ?? [])].join('.')
    throw new MalformedEventError(path, 'not a Kubernetes object')
  }
  const { kind, metadata } = parsed.data
  expectEqual('data.kind', kind, event.kind)
  expectEqual('data.metadata.name', metadata.name, event.name)
  expectEqual('data.metadata.uid', metadata.uid, event.objectuid)
  if (metadata.annotations?.[omittedAnnotation]?.split(',').includes('spec')) return undefined
  return parsed.data as unknown as KubernetesObject
}

const operationOf = (type: string): EventOperation => {
  const last = type.slice(type.lastIndexOf('.') + 1)
  const operation = eventOperations.find(candidate => candidate === last)
  if (operation === undefined) {
    throw new MalformedEventError('type', `expected a name that ends in one of ${eventOperations.join(', ')}`)
  }
  return operation
}

const expectEqual = (attribute: string, value: string, expected: string): void => {
  if (value !== expected)
    throw new MalformedEventError(attribute, `expected ${expected}, to match the other attributes`)
}

/**
 * Annotation in an event's *data* (never on the live object): comma-separated paths that were omitted because the
 * object was too large or too deep, such as `status.state`. With `spec` among them, the data is only a reference.
 */
export const omittedAnnotation = 'trellis.gardener.cloud/omitted'
