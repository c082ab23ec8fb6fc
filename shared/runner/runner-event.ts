/** Why a process of a program ended. */
export type EndReason = 'idle' | 'room' | 'crashed' | 'unresponsive' | 'memory' | 'closed'

/** The end of one attempt to deliver an event. `replaced`: a newer event of the object waits. */
export type DeliveryOutcome = 'done' | 'refused' | 'retried' | 'dropped' | 'replaced'

export type RunnerEvent =
  | { readonly type: 'started'; readonly program: string; readonly tookMs: number }
  | { readonly type: 'start failed'; readonly program: string }
  | { readonly type: 'ended'; readonly program: string; readonly reason: EndReason }
  | { readonly type: 'memory'; readonly program: string; readonly bytes: number }
  | { readonly type: 'delivery'; readonly function: string; readonly outcome: DeliveryOutcome }

export type ObserveRunner = (event: RunnerEvent) => void
