/** An HTTP request as received, before any AWS protocol parses it. */
export interface WireRequest {
  /** Upper case. */
  readonly method: string
  /** Path without the query, still percent-encoded: `/2013-04-01/hostedzone/Z1/rrset`. */
  readonly path: string
  /** Decoded parameters; a parameter without a value (`?acl`) has the value ''. */
  readonly query: ReadonlyMap<string, readonly string[]>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** True if the body exceeds the limit of every operation. It was not stored. */
  readonly isCut?: boolean
}

/** An HTTP response ready to be sent. */
export interface WireResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}
