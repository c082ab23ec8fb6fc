import {
  checkedAttributes,
  checkGiven,
  decodeHeader,
  encodeHeader,
  type HttpHeaders,
  type HttpMessage,
  MalformedEventError,
  parseJson,
  singleHeader,
} from '../../shared/events/events.ts'

/**
 * A CloudEvent 1.0 of any type, as brokers forward it. `attributes` has every context attribute and extension in its
 * canonical string form, with `datacontenttype`; `body` has the bytes of the data.
 */
export interface BrokeredEvent {
  readonly attributes: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

/** An HTTP message as a server or client receives it. */
interface ReceivedMessage {
  readonly headers: HttpHeaders
  readonly body: Uint8Array
}

/**
 * Reads an HTTP message in binary or structured content mode (CloudEvents HTTP binding 1.0.2, section 3). Throws
 * `MalformedEventError`, also for a batch.
 *
 * A broker changes nothing in an event, so it does not use the SDK, which changes many. Functions read the messages of
 * this code with the SDK.
 */
export const readMessage = ({ headers, body }: ReceivedMessage): BrokeredEvent => {
  const contentType = singleHeader(headers, 'content-type')
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase()
  if (mediaType === 'application/cloudevents+json') return ofJson(parseJson(body, undefined))
  if (mediaType.startsWith('application/cloudevents'))
    throw new MalformedEventError(undefined, `unsupported event format ${mediaType}`)
  const given: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = /^ce-(?!datacontenttype$)/i.test(name) ? singleHeader(headers, name) : undefined
    if (value !== undefined) given[name.slice(3).toLowerCase()] = decodeHeader(value)
  }
  if (body.length === 0) return checked(given)
  return checked({ ...given, ...(contentType !== undefined && { datacontenttype: contentType }) }, body)
}

/** Writes an event without any change. `json`: as one JSON document. */
export const writeMessage = (event: BrokeredEvent, format: 'binary' | 'json' = 'binary'): HttpMessage =>
  format === 'json' ? structured(event) : binary(event)

const checked = (given: Readonly<Record<string, unknown>>, body?: Uint8Array): BrokeredEvent => {
  checkGiven(name => given[name])
  return { attributes: checkedAttributes(given), ...(body === undefined ? {} : { body }) }
}

const ofJson = (value: unknown): BrokeredEvent => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedEventError(undefined, 'not a JSON object')
  const { data, data_base64: base64, ...given } = value as Readonly<Record<string, unknown>>
  if (typeof base64 === 'string') return checked(given, Buffer.from(base64, 'base64'))
  if (data === undefined || data === null) return checked(given)
  const datacontenttype = given.datacontenttype ?? 'application/json'
  if (isJson(String(datacontenttype)))
    return checked({ ...given, datacontenttype }, Buffer.from(JSON.stringify(data)))
  if (typeof data !== 'string')
    throw new MalformedEventError('data', 'expected a string for this datacontenttype')
  return checked(given, Buffer.from(data))
}

/** `application/json`, `text/json`, `…+json`, or no content type (JSON event format 1.0.2, section 3.1). */
const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^[^/]+\/([^;]+\+)?json\s*(;|$)/i.test(contentType)

const binary = ({ attributes, body = new Uint8Array() }: BrokeredEvent): HttpMessage => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'datacontenttype') headers['content-type'] = value
    else headers[`ce-${name}`] = encodeHeader(value)
  }
  return { headers, body }
}

const structured = ({ attributes, body }: BrokeredEvent): HttpMessage => {
  const data =
    body === undefined
      ? {}
      : isJson(attributes.datacontenttype)
        ? { data: parseJson(body, 'data') }
        : { data_base64: Buffer.from(body).toString('base64') }
  return {
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    body: Buffer.from(JSON.stringify({ ...attributes, ...data })),
  }
}
