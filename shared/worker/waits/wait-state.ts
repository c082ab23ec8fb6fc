/** How something stands that the flow waits for (docs/contract/workers.md#waits). */
export type WaitState =
  | { readonly kind: 'over' }
  | {
      readonly kind: 'waiting'
      /** What is not yet so, in the words of the Go extension. */
      readonly message: string
      /** How far it is, from 0 to 1. */
      readonly share: number
    }
  /** It makes no sense to wait: with the codes that its text earns. */
  | { readonly kind: 'failed'; readonly error: Error }

export const over: WaitState = { kind: 'over' }
