/** The stable window of Knative's autoscaler: a function without a request for this long begins to end. */
const windowMs = 60_000

export interface Awake {
  /** The share of the time in which the function has no process. */
  readonly atZero: number
  readonly starts: number
}

/** Returns how long events would have a process, by the times of the events within the measured time. */
export const awakeBy = (
  events: readonly number[],
  {
    from,
    until,
    retentionMs,
  }: { readonly from: number; readonly until: number; readonly retentionMs: number },
): Awake => {
  let awakeMs = 0
  let starts = 0
  let endsAt = Number.NEGATIVE_INFINITY
  for (const at of events.toSorted((a, b) => a - b)) {
    if (at > endsAt) starts++
    const end = Math.min(at + windowMs + retentionMs, until)
    awakeMs += Math.max(end - Math.max(at, endsAt, from), 0)
    endsAt = Math.max(endsAt, end)
  }
  return { atZero: 1 - awakeMs / (until - from), starts }
}
