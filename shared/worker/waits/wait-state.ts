/** The state of a wait in the flow (docs/contract/workers.md#waits). */
export type WaitState =
  | { readonly kind: 'over' }
  | {
      readonly kind: 'waiting'
      /** The missing condition, in the words of the Go extension. */
      readonly message: string
      /** The progress, from 0 to 1. */
      readonly share: number
      /** No MachineDeployment may change at its end, so the next step runs soon. */
      readonly endsSilently?: true
    }
  /** Waiting is useless. The error has the codes of its text. */
  | { readonly kind: 'failed'; readonly error: Error }

export const over: WaitState = { kind: 'over' }
