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
 * Returns the HTTP message in which the broker forwards an event. The CloudEvents SDK writes it, so functions here read
 * messages of another implementation. A broker changes nothing in an event, so events that the SDK would change are
 * written by the binding of `shared/events`.
 */
export const brokerMessage = (event: CloudEvent, format: 'binary' | 'json' = 'binary'): HttpMessage => {
  if (!isPreservedBySdk(event, format))
    return format === 'json' ? encodeStructured(event) : encodeBinary(event)
  const { attributes, body } = event
  const data = format === 'json' && body ? parseJson(body, 'data') : body
  const written = (format === 'json' ? HTTP.structured : HTTP.binary)(
    // Not strict, because the ingress has already validated the event.
    new SdkEvent({ ...attributes, ...(data === undefined ? {} : { data }) }, false),
  )
  return {
    headers: Object.fromEntries(
      Object.entries(written.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: Buffer.from((written.body ?? '') as string | Uint8Array),
  }
}

/** Extension names for which the SDK throws: a field of version 0.3, and a property of every object. */
const unusableNames = ['schemaurl', 'constructor']

/**
 * Returns true if the SDK (10.0) forwards an event unchanged. The SDK adds a time, writes times with milliseconds,
 * always sets a content type, encodes no header, and refuses a structured event with non-JSON data if the source is not
 * a URI.
 */
const isPreservedBySdk = ({ attributes, body }: CloudEvent, format: 'binary' | 'json'): boolean => {
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

/** Returns true if the value needs no percent encoding in a header. */
const isPlain = (value: string): boolean => /^[!#$&-~]+$/.test(value)
