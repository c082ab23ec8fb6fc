import { stringify } from 'yaml'

/** A request as the server's logic receives it, from a socket or a function call. */
export interface ApiRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Text, or the bytes of a protobuf document. */
  readonly body?: string | Uint8Array
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, as text or as bytes, or the lines of a watch as they arrive. */
  readonly body: string | Uint8Array | AsyncIterable<string>
}

/** Breaks the connection instead of a response, or in the middle of one. */
export class Disconnect extends Error {
  override readonly name = 'Disconnect'
}

export const jsonResponse = (
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Converts a response to YAML, for clients that prefer it. */
export const asYaml = (response: ApiResponse): ApiResponse =>
  typeof response.body !== 'string' || response.headers['content-type'] !== 'application/json'
    ? response
    : {
        ...response,
        headers: { ...response.headers, 'content-type': 'application/yaml' },
        body: stringify(JSON.parse(response.body)),
      }

export const textResponse = (status: number, body: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
})
