import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { HttpResponse } from '@smithy/core/transport'
import type { HeaderBag, HttpRequest } from '@smithy/types'
import type { WireRequest, WireResponse } from './message.ts'

const bytesOf = async (body: unknown): Promise<Uint8Array> => {
  if (body === undefined || body === null) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body, 'utf8')
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer())
  if (body instanceof Readable || body instanceof ReadableStream) return buffer(body)
  throw new TypeError('reading an SDK request: the body is of no known kind')
}

const lowerCase = (headers: HeaderBag): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Converts an SDK request to the form it has on the wire. */
export const fromSdkRequest = async (request: HttpRequest): Promise<WireRequest> => ({
  method: request.method.toUpperCase(),
  path: request.path,
  query: new Map(
    Object.entries(request.query ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : [value ?? ''],
    ]),
  ),
  headers: lowerCase(request.headers),
  body: await bytesOf(request.body),
})

/**
 * Converts a response to the form that the SDK expects from its request handler. A streamed output must be a stream.
 */
export const toSdkResponse = (response: WireResponse, streaming: boolean): HttpResponse =>
  new HttpResponse({
    statusCode: response.status,
    headers: { ...response.headers },
    body: streaming ? Readable.from([response.body]) : response.body,
  })
