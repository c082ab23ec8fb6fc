/** The ends of a container since it last ran well. */
export interface RestartHistory {
  readonly ends: number
  /** The time of the last end, in ms since the epoch. */
  readonly lastEnd: number
}

export interface RestartDelays {
  readonly firstMs: number
  readonly longestMs: number
}

/** The numbers of a kubelet. */
export const kubeletDelays: RestartDelays = { firstMs: 10_000, longestMs: 300_000 }

/** Adds an end. A container that ran for twice the longest delay starts from the beginning. */
export const withEnd = (
  history: RestartHistory | undefined,
  now: number,
  { longestMs }: RestartDelays,
): RestartHistory => ({
  ends: history && now - history.lastEnd <= 2 * longestMs ? history.ends + 1 : 1,
  lastEnd: now,
})

/** Returns the wait before the next start: none after the first end, then twice as long each time. */
export const restartDelay = ({ ends }: RestartHistory, { firstMs, longestMs }: RestartDelays): number =>
  ends < 2 ? 0 : Math.min(firstMs * 2 ** (ends - 2), longestMs)
