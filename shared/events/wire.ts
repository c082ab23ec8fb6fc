import * as z from 'zod'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { attributeLimits } from './attribute-limits.ts'
import { eventType, omittedAnnotation } from './build.ts'
import {
  type CloudEvent,
  decodeHttp,
  decodeObject,
  encodeBinary,
  encodeObject,
  encodeStructured,
  type HttpHeaders,
  type HttpMessage,
  MalformedEventError,
  parseJson,
} from './cloud-event.ts'
import { type EventOperation, type ExtensionEvent, eventOperations } from './event.ts'

/** The encoding of an event in HTTP: attributes as headers, or everything as one JSON document. */
export type ContentMode = 'binary' | 'structured'

/** Returns the HTTP message of an event, with additional extensions. */
export const eventMessage = (
  event: ExtensionEvent,
  mode: ContentMode = 'binary',
  extensions: Readonly<Record<string, string>> = {},
): HttpMessage => {
  const { attributes, body } = toCloudEvent(event)
  const whole = { attributes: { ...extensions, ...attributes }, body }
  return mode === 'binary' ? encodeBinary(whole) : encodeStructured(whole)
}

/** Returns the event in the JSON event format, in which events are saved and replayed. */
export const eventJson = (event: ExtensionEvent): Record<string, unknown> => encodeObject(toCloudEvent(event))

/**
 * Reads an event of this system from an HTTP message in either content mode. Throws `MalformedEventError` with the
 * attribute's name. Ignores foreign extensions, such as those of brokers.
 */
export const parseEvent = (headers: HttpHeaders, body: Uint8Array): ExtensionEvent =>
  fromCloudEvent(decodeHttp(headers, body))

/** Reads an event of this system from parsed JSON in the JSON event format. Throws `MalformedEventError`. */
export const parseEventJson = (value: unknown): ExtensionEvent => fromCloudEvent(decodeObject(value))

/**
 * Returns the CloudEvent of an event. An event without data gets a reference (apiVersion, kind and the identifying
 * metadata, marked with `omittedAnnotation`), because the functions framework fails without a body.
 */
export const toCloudEvent = (event: ExtensionEvent): CloudEvent => {
  const { data, operation: _, ...fields } = event
  const attributes: Record<string, string> = { specversion: '1.0', datacontenttype: 'application/json' }
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) attributes[name] = String(value)
  return { attributes, body: Buffer.from(JSON.stringify(data ?? reference(event))) }
}

/** Reads an event of this system from any CloudEvent. Throws `MalformedEventError`. */
export const fromCloudEvent = (cloudEvent: CloudEvent): ExtensionEvent => {
  const parsed = attributesSchema.safeParse(cloudEvent.attributes)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new MalformedEventError(issue?.path.join('.') || undefined, issue?.message ?? 'not a Trellis event')
  }
  const { traceparent, namespace, ...attributes } = parsed.data
  const operation = operationOf(attributes.type)
  expectEqual('type', attributes.type, eventType(attributes.kind, operation))
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
