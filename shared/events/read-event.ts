import { CloudEvent, type CloudEventV1, HTTP } from 'cloudevents'
import * as z from 'zod'
import { deepestJson, isDeeper } from '../decode/json-bounds.ts'
import { isRecord } from '../decode/record-of.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { messageOf } from '../text/message-of.ts'
import { attributeLimits, cloudEventLimits } from './attribute-limits.ts'
import { type EventOperation, type ExtensionEvent, eventOperations, eventTypePrefix } from './event.ts'

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

/** A CloudEvent of any type with JSON data: the attributes in their canonical string form, and the parsed data. */
export interface ReadCloudEvent {
  readonly attributes: Readonly<Record<string, string>>
  /** Undefined: no data. */
  readonly data?: unknown
}

/**
 * Reads an event of this system from an HTTP message in either content mode. Throws `MalformedEventError` with the
 * attribute's name. Ignores foreign extensions, such as those of brokers.
 */
export const parseEvent = (headers: HttpHeaders, body: Uint8Array): ExtensionEvent =>
  fromCloudEvent(readCloudEvent(headers, body))

/** Reads an event of this system from parsed JSON in the JSON event format. Throws `MalformedEventError`. */
export const parseEventJson = (value: unknown): ExtensionEvent => fromCloudEvent(readCloudEventJson(value))

const fromCloudEvent = (cloudEvent: ReadCloudEvent): ExtensionEvent => {
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
  const data = dataOf(cloudEvent.data, attributes)
  return {
    ...attributes,
    operation,
    ...(namespace === undefined ? {} : { namespace }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(data === undefined ? {} : { data }),
  }
}

const structuredType = 'application/cloudevents+json'

/**
 * Reads a CloudEvent with JSON data in binary or structured content mode (HTTP binding 1.0.2, section 3) with the SDK.
 * Refuses first what the SDK would accept, invent or drop (decision 0031). Throws `MalformedEventError`, also for a
 * batch, because each event needs a separate response.
 */
export const readCloudEvent = (headers: HttpHeaders, body: Uint8Array): ReadCloudEvent => {
  const contentType = singleHeader(headers, 'content-type')
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase()
  if (mediaType === structuredType) return readCloudEventJson(parseJson(body, undefined))
  if (mediaType.startsWith('application/cloudevents-batch'))
    throw new MalformedEventError(undefined, 'batches of events are not supported')
  if (mediaType.startsWith('application/cloudevents'))
    throw new MalformedEventError(undefined, `unknown event format ${mediaType}`)
  const sent: Record<string, string> = {}
  for (const name of Object.keys(headers).filter(name => /^ce-(?!datacontenttype$)/i.test(name))) {
    const value = singleHeader(headers, name)
    if (value !== undefined) sent[name.toLowerCase()] = decodeHeader(value)
  }
  if (Object.keys(sent).length === 0)
    throw new MalformedEventError(undefined, `neither ce- headers nor the content type ${structuredType}`)
  checkBeforeSdk(name => sent[`ce-${name}`])
  if (body.length > 0) expectJson(contentType)
  const data = body.length > 0 ? parseJson(body, 'data') : undefined
  return readWithSdk(() => HTTP.toEvent({ headers: sent, body: data }) as CloudEventV1<unknown>)
}

/** Reads a parsed event in the JSON event format like `readCloudEvent`. */
export const readCloudEventJson = (value: unknown): ReadCloudEvent => {
  if (!isRecord(value)) throw new MalformedEventError(undefined, 'not a JSON object')
  expectShallow(value, undefined)
  checkBeforeSdk(name => value[name])
  if (!isAbsent(value.data) || !isAbsent(value.data_base64)) expectJson(value.datacontenttype ?? undefined)
  const data = plainData(value)
  const { data: _, data_base64: __, ...rest } = value
  // The SDK is slow for many attributes, and ignores one that is called `__proto__`.
  const event = checkedAttributes(rest)
  // Not `HTTP.toEvent`, which replaces the global `JSON`: by `json-bigint` with `CE_USE_BIG_INT=true`.
  const { attributes } = readWithSdk(() => new CloudEvent(event, false))
  return { attributes, ...(data === undefined ? {} : { data }) }
}

const checkBeforeSdk = (given: (name: string) => unknown): void => {
  checkGiven(given)
  if ((given('time') ?? undefined) === undefined) throw new MalformedEventError('time', 'missing')
}

const readWithSdk = (read: () => CloudEventV1<unknown>): ReadCloudEvent => {
  const { data, ...attributes } = acceptedBySdk(read)
  return { attributes: checkedAttributes(attributes), ...(data === undefined ? {} : { data }) }
}

const acceptedBySdk = (read: () => CloudEventV1<unknown>): CloudEventV1<unknown> => {
  try {
    return read()
  } catch (cause) {
    throw new MalformedEventError(undefined, `the CloudEvents SDK rejects it: ${messageOf(cause)}`, cause)
  }
}

/** The SDK returns `data_base64` as bytes. */
const plainData = ({ data, data_base64: base64 }: Readonly<Record<string, unknown>>): unknown => {
  if (isAbsent(base64)) return data ?? undefined
  if (!isAbsent(data)) throw new MalformedEventError('data_base64', 'must not be combined with data')
  if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new MalformedEventError('data_base64', 'not base64')
  return parseJson(Buffer.from(base64, 'base64'), 'data')
}

/** Absent: JSON (JSON event format 1.0.2, section 3.1). */
const expectJson = (contentType: unknown = 'application/json'): void => {
  if (!/^application\/json\s*(;|$)/i.test(String(contentType)))
    throw new MalformedEventError('datacontenttype', 'expected application/json')
}

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

/** Returns the value of a header. Throws `MalformedEventError` if it is repeated. */
export const singleHeader = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  if (value === undefined || typeof value === 'string') return value
  if (value.length > 1) throw new MalformedEventError(name.replace(/^ce-/, ''), 'given more than once')
  return value[0]
}

/** Decodes the value of a `ce-` header (HTTP binding 1.0.2, section 3.1.3.2). */
export const decodeHeader = (value: string): string => {
  const text = /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value
  try {
    return decodeURIComponent(text)
  } catch {
    // Senders that do not encode leave a bare percent sign; it means itself.
    return text
  }
}

/**
 * Returns the attributes of any CloudEvent in their canonical string form, without the missing ones. Throws
 * `MalformedEventError` for a name or value that CloudEvents 1.0 or `cloudEventLimits` do not allow.
 */
export const checkedAttributes = (given: Readonly<Record<string, unknown>>): Record<string, string> => {
  // No prototype: an extension may be called `constructor`.
  const attributes = Object.create(null) as Record<string, string>
  for (const [name, value] of Object.entries(given)) {
    if (isAbsent(value)) continue
    checkName(name)
    attributes[name] = checkedText(name, value)
  }
  if (Object.keys(attributes).length > cloudEventLimits.attributes)
    throw new MalformedEventError(undefined, `more than ${cloudEventLimits.attributes} attributes`)
  return attributes
}

/**
 * Throws `MalformedEventError` if a required attribute of CloudEvents 1.0 is missing, or one of the specification has a
 * wrong value. `given`: the attribute as the sender wrote it.
 */
export const checkGiven = (given: (name: string) => unknown): void => {
  for (const name of ['specversion', 'id', 'source', 'type'])
    if (isAbsent(given(name))) throw new MalformedEventError(name, 'missing')
  if (given('specversion') !== '1.0') throw new MalformedEventError('specversion', 'expected 1.0')
  for (const name of ['id', 'source', 'type', 'subject', 'time']) {
    const value = given(name)
    if (value === '') throw new MalformedEventError(name, 'empty')
    // The SDK would invent an id for 0 or false.
    if (!isAbsent(value) && typeof value !== 'string')
      throw new MalformedEventError(name, 'expected a string')
  }
  const time = given('time')
  if (!isAbsent(time) && !isTime(time)) throw new MalformedEventError('time', 'not an RFC 3339 time')
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const checkName = (name: string): void => {
  const shown = name.slice(0, 40)
  if (!/^[a-z0-9]+$/.test(name))
    throw new MalformedEventError(shown, 'an attribute name may contain only lower-case letters and digits')
  if (name.length > cloudEventLimits.name)
    throw new MalformedEventError(
      shown,
      `an attribute name may have at most ${cloudEventLimits.name} characters`,
    )
}

const checkedText = (name: string, value: unknown): string => {
  if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isInteger(value))
    throw new MalformedEventError(name, 'expected a string, a boolean or an integer')
  const text = String(value)
  if (text.length > cloudEventLimits.value)
    throw new MalformedEventError(name, `longer than ${cloudEventLimits.value} characters`)
  // CloudEvents 1.0 type system: a String has no control characters.
  if (/\p{Cc}/u.test(text)) throw new MalformedEventError(name, 'contains a control character')
  return text
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(value) &&
  !Number.isNaN(Date.parse(value))

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
  data: unknown,
  event: { readonly kind: string; readonly name: string; readonly objectuid: string },
): KubernetesObject | undefined => {
  if (data === undefined) return undefined
  const parsed = dataSchema.safeParse(data)
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
  if (operation === undefined)
    throw new MalformedEventError('type', `expected a name that ends in one of ${eventOperations.join(', ')}`)
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
