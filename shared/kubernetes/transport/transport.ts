import type { IncomingHttpHeaders } from 'node:http'

/** One HTTP request to an API server, before credentials are added. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query: `/api/v1/namespaces?limit=500`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request and the reading of its answer. */
  readonly signal?: AbortSignal
}

/** The answer, as soon as its head is there. */
export interface TransportResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Iterated at most once; leaving the iteration early gives the connection up. Throws when it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * How requests reach an API server: over a socket (`httpTransport`) or by a function call (the sandbox).
 * Rejects with `ConnectionError` when no answer came, with the signal's reason when it aborted.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** The whole answer as text. Its pieces wait outside of V8's heap, which many answers at a time would fill. */
export const readText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The headers of an answer with one value each: several of a name become one, as HTTP allows. */
export const flatHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
