import type { IncomingHttpHeaders } from 'node:http'

/** One HTTP request to an API server, without credentials. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query: `/api/v1/namespaces?limit=500`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request and the reading of its response. */
  readonly signal?: AbortSignal
}

/** The response, available after its head. */
export interface TransportResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Iterate it at most once; leaving early closes the connection. Throws if the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Sends requests to an API server over a socket (`httpTransport`) or by a function call (the sandbox). Rejects with
 * `ConnectionError` without a response, and with the signal's reason after an abort.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/**
 * Returns the whole response as text. The pieces are outside of V8's heap, which many concurrent responses would fill.
 */
export const readText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the headers of a response with one value each. Repeated headers are joined, as HTTP allows. */
export const flatHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
