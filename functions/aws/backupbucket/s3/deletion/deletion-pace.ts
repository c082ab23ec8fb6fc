/** How a step deletes objects. */
export interface DeletionPace {
  /** The time, in ms. Then another step continues. */
  readonly timeMs: number
  /** Pages of at most 1,000 objects that are deleted in parallel. */
  readonly parallel: number
}

export const usualPace: DeletionPace = { timeMs: 15_000, parallel: 4 }

/** Returns the Knative Service settings of a function that deletes objects, with at most this many processes. */
export const s3Service = (most: number) => ({
  reaches: ['public-networks' as const],
  maxScale: {
    value: most,
    why: 'S3 limits requests per bucket prefix: more processes would not delete faster.',
  },
  concurrency: {
    value: 20,
    why: 'Steps wait for S3 most of the time, but a deletion holds several thousand names in memory.',
  },
})
