/** The results of a probe so far. */
export interface ProbeState {
  /** The result that counts: it changes only after as many equal results as its threshold. */
  readonly result: 'unknown' | 'success' | 'failure'
  readonly last: boolean | undefined
  /** The number of equal results in a row. */
  readonly run: number
}

export interface ProbeThresholds {
  readonly successThreshold?: number
  readonly failureThreshold?: number
}

export const firstProbeState: ProbeState = { result: 'unknown', last: undefined, run: 0 }

/** Returns the state after one more result. */
export const afterProbe = (
  state: ProbeState,
  succeeded: boolean,
  { successThreshold = 1, failureThreshold = 3 }: ProbeThresholds,
): ProbeState => {
  const run = state.last === succeeded ? state.run + 1 : 1
  const counts = run >= (succeeded ? successThreshold : failureThreshold)
  return { result: counts ? (succeeded ? 'success' : 'failure') : state.result, last: succeeded, run }
}
