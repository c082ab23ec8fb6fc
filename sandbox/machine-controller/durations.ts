import { parseDuration } from '../../shared/contract/duration.ts'

/**
 * The waits of the machine-controller-manager and the durations of nodes, in ms: its defaults (v0.62.1), and typical
 * values for nodes.
 */
const typical = {
  /** Between the steps of a deletion, and before the retry of a transient failure. */
  step: 5_000,
  /** After a failed creation. */
  retry: 180_000,
  /** After a failed creation for lack of capacity, and after a failed deletion. */
  longRetry: 600_000,
  creationTimeout: 1_200_000,
  healthTimeout: 600_000,
  drainTimeout: 7_200_000,
  /** A node that has not been ready for this long is not drained. */
  undrainable: 300_000,
  /** Interval between checks of timeouts. */
  timeoutCheck: 60_000,
  /** Interval between checks for instances without a Machine. */
  orphanCheck: 1_800_000,
  /** From a new instance to its Node. */
  nodeJoins: 45_000,
  /** Interval between a kubelet's reports. */
  kubeletBeat: 10_000,
} as const

/** Minimum values at any speed. Polling must leave the process time for other work. */
const shortest: Partial<Record<keyof typeof typical, number>> = {
  creationTimeout: 5_000,
  healthTimeout: 2_000,
  timeoutCheck: 100,
  orphanCheck: 5_000,
  kubeletBeat: 20,
}

type DurationName = keyof typeof typical

export interface MachineDurations extends Readonly<Record<DurationName, number>> {
  /**
   * Returns a duration of a Machine's spec in Go notation, `20m0s`. Defaults to the named duration if it is undefined
   * or invalid.
   */
  of(text: string | undefined, otherwise: DurationName): number
}

/** Returns the durations times a factor: 1 is real time, 0 makes everything instant. */
export const machineDurations = (scale: number): MachineDurations => {
  const names = Object.keys(typical) as DurationName[]
  const scaled = (name: DurationName, ms: number) => Math.max(ms * scale, shortest[name] ?? 0)
  const durations = Object.fromEntries(names.map(name => [name, scaled(name, typical[name])]))
  return {
    ...(durations as Record<DurationName, number>),
    of: (text, otherwise) =>
      scaled(otherwise, (text === undefined ? undefined : parseDuration(text)) ?? typical[otherwise]),
  }
}
