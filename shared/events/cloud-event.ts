import { deepestJson, isDeeper } from '../contract/json-bounds.ts'
import { cloudEventLimits } from './attribute-limits.ts'

/**
 * A CloudEvent 1.0 of any type, as brokers and hosts forward it. `attributes` has every context attribute and extension
 * in its canonical string form, with `datacontenttype`; `body` has the bytes of the data.
 */
export interface CloudEvent {
  readonly attributes: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
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

/** Binary content mode: attributes as `ce-` headers, the data as the body. */
export const encodeBinary = (event: CloudEvent): HttpMessage => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(event.attributes)) {
    if (name === 'datacontenttype') headers['content-type'] = value
    else headers[`ce-${name}`] = encodeHeader(value)
  }
  return { headers, body: event.body ?? new Uint8Array() }
}

/** Structured content mode: one JSON document. */
export const encodeStructured = (event: CloudEvent): HttpMessage => ({
  headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(encodeObject(event))),
})

/** Returns the event as an object of the JSON event format. */
export const encodeObject = (event: CloudEvent): Record<string, unknown> => {
  const { body, attributes } = event
  if (body === undefined) return { ...attributes }
  return isJson(attributes.datacontenttype)
    ? { ...attributes, data: parseJson(body, 'data') }
    : { ...attributes, data_base64: Buffer.from(body).toString('base64') }
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

/**
 * HTTP binding, section 3.1.3.2: encodes space, double quote, percent and everything beyond printable ASCII as UTF-8
 * octets.
 */
const encodeHeader = (value: string): string =>
  value.replaceAll(/[^\u0021\u0023\u0024\u0026-\u007e]+/gu, text =>
    [...Buffer.from(text)].map(octet => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

const decodeHeader = (value: string): string => {
  const text = /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value
  try {
    return decodeURIComponent(text)
  } catch {
    // Senders that do not encode leave a bare percent sign; it means itself.
    return text
  }
}
