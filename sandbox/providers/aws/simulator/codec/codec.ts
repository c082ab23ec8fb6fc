import type { WireRequest, WireResponse } from './message.ts'
import type { ModelOperation } from './model.ts'
import type { WireError } from './wire-error.ts'

/** The server side of an AWS protocol. Stateless. */
export interface Codec {
  /**
   * Returns the operation of a request without reading its input.
   *
   * @throws MalformedRequest of kind `operation` or `body`
   */
  route(request: WireRequest): RoutedRequest
  encode(
    operation: ModelOperation,
    output: Readonly<Record<string, unknown>>,
    requestId: string,
  ): WireResponse
  encodeError(error: WireError, requestId: string): WireResponse
}

/** A request with a known operation. */
export interface RoutedRequest {
  readonly operation: ModelOperation
  /**
   * Returns the input without members that are absent in the request.
   *
   * @throws MalformedRequest of kind `body` or `value`
   */
  readInput(): Record<string, unknown>
}
