/** One request of a process and its answer. */
export interface Exchange {
  /** `events`: an event to a broker or a function. */
  readonly way: 'kubernetes' | 'cloud' | 'events'
  readonly isWrite: boolean
  /** `PATCH /apis/…`, `ec2 CreateVpc`. */
  readonly about: string
}

/** The fate of an exchange. */
export type Fate =
  /**
   * Arrives after `beforeMs`, and its answer `afterMs` later. Default: at once. `thawed`: a frozen process sends it
   * later.
   */
  | {
      readonly kind: 'pass'
      readonly beforeMs?: number
      readonly afterMs?: number
      readonly thawed?: boolean
    }
  /** Arrives, and arrives again after `againMs`. The second answer is lost. */
  | { readonly kind: 'twice'; readonly againMs: number }
  /** The process ends before the request is sent, or after it took effect and before the answer. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'after' }
  /** The request takes effect, and the connection breaks before the answer. */
  | { readonly kind: 'lost' }
  /** The request does not arrive. */
  | { readonly kind: 'unreachable' }
  /** There is never an answer. `acted`: the request takes effect. */
  | { readonly kind: 'silence'; readonly acted: boolean }
  /** The other side refuses the request without any effect. */
  | { readonly kind: 'refused'; readonly status: 403 | 409 | 429 | 500 | 503 | 504 }

/** Decides the fate of each exchange of a process, in order. */
export type Fates = (process: string, exchange: Exchange) => Fate

export const noFaults: Fates = () => ({ kind: 'pass' })
