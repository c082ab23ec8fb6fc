/** How a step deletes objects. */
export interface DeletionPace {
  /** The time, in ms. Then another step continues. */
  readonly timeMs: number
  /** Pages of at most 1,000 objects that are deleted in parallel. */
  readonly parallel: number
}

export const usualPace: DeletionPace = { timeMs: 15_000, parallel: 4 }
