import type { RunningFunction } from './seed-function.ts'

/** A function that is added to and removed from a running seed. */
export interface GuestFunction {
  readonly name: string
  /** Its Trigger and its Service as YAML. */
  readonly manifest: string
  /** The broker holds events until the start has finished, however long it takes. */
  readonly start: () => Promise<RunningFunction>
}
