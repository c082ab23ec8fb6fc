import { parseDuration } from '../../shared/contract/duration.ts'

/**
 * How long the machine-controller-manager waits, and how long nodes take, in ms: its defaults (v0.62.1), and of nodes what
 * is typical.
 */
const typical = {
  /** Between the steps of a deletion, and before what failed in passing is tried again. */
  step: 5_000,
  /** After a failure to create. */
  retry: 180_000,
  /** After one for want of capacity, and after a failure to delete. */
  longRetry: 600_000,
  creationTimeout: 1_200_000,
  healthTimeout: 600_000,
  drainTimeout: 7_200_000,
  /** A node that is not ready for so long is not drained. */
  undrainable: 300_000,
  /** How often timeouts are looked at. */
  timeoutCheck: 60_000,
  /** How often a class is asked for machines that nobody knows. */
  orphanCheck: 1_800_000,
  /** From a new instance to its Node. */
  nodeJoins: 45_000,
  /** How often a kubelet reports. */
  kubeletBeat: 10_000,
} as const

/** However fast time is: what is looked at again and again leaves the process room for other work. */
const shortest: Partial<Record<keyof typeof typical, number>> = {
  creationTimeout: 5_000,
  healthTimeout: 2_000,
  timeoutCheck: 100,
  orphanCheck: 5_000,
  kubeletBeat: 20,
}

type DurationName = keyof typeof typical

export interface MachineDurations extends Readonly<Record<DurationName, number>> {
  /** A duration of a Machine's spec: Go notation, `20m0s`. Undefined and what is none: the one of that name. */
  of(text: string | undefined, otherwise: DurationName): number
}

/** Durations times a factor: 1 is real time, 0 makes everything happen at once. */
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
