import type { WireRequest, WireResponse } from './message.ts'
import type { ModelOperation } from './model.ts'
import type { WireError } from './wire-error.ts'

/** The server's side of an AWS protocol. Stateless. */
export interface Codec {
  /**
   * The operation that a request names, without reading its input.
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

/** A request whose operation is known. */
export interface RoutedRequest {
  readonly operation: ModelOperation
  /**
   * The input; members that are absent on the wire are absent here.
   *
   * @throws MalformedRequest of kind `body` or `value`
   */
  readInput(): Record<string, unknown>
}
