import { HTTP, CloudEvent as SdkEvent } from 'cloudevents'
import {
  type CloudEvent,
  encodeBinary,
  encodeStructured,
  type HttpMessage,
  isJson,
  parseJson,
} from '../../shared/events/events.ts'

/**
 * The HTTP message in which the broker hands an event on: written by the CloudEvents SDK, so that every function here
 * reads what programs of others write. A broker changes nothing of an event; what the SDK would change is written by
 * the binding of `shared/events`.
 */
export const brokerMessage = (event: CloudEvent, format: 'binary' | 'json' = 'binary'): HttpMessage => {
  if (!isKeptBySdk(event, format)) return format === 'json' ? encodeStructured(event) : encodeBinary(event)
  const { attributes, body } = event
  const data = format === 'json' && body ? parseJson(body, 'data') : body
  const written = (format === 'json' ? HTTP.structured : HTTP.binary)(
    // Not strict: what the ingress took is not looked at again.
    new SdkEvent({ ...attributes, ...(data === undefined ? {} : { data }) }, false),
  )
  return {
    headers: Object.fromEntries(
      Object.entries(written.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: Buffer.from((written.body ?? '') as string | Uint8Array),
  }
}

/** Names of extensions on which the SDK throws: a field of version 0.3, and one that every object has. */
const unusableNames = ['schemaurl', 'constructor']

/**
 * Whether the SDK (10.0) hands an event on as it is. It makes up a time and writes times with three digits of a second,
 * always states a content type, encodes no header, and refuses a structured event with data that is not JSON when the
 * source is no URI.
 */
const isKeptBySdk = ({ attributes, body }: CloudEvent, format: 'binary' | 'json'): boolean => {
  const { time, datacontenttype } = attributes
  return (
    time !== undefined &&
    new Date(time).toISOString() === time &&
    datacontenttype !== undefined &&
    body !== undefined &&
    !unusableNames.some(name => Object.hasOwn(attributes, name)) &&
    (format === 'json' ? isJson(datacontenttype) : Object.values(attributes).every(isPlain))
  )
}

/** Needs no percent encoding in a header. */
const isPlain = (value: string): boolean => /^[!#$&-~]+$/.test(value)
