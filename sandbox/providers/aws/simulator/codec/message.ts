/** An HTTP request as it arrived, before any AWS protocol has looked at it. */
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
  /** The body is longer than anything takes, and was not kept. */
  readonly isCut?: boolean
}

/** An HTTP response ready to be sent. */
export interface WireResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}
