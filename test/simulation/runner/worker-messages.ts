import type { SetName } from '../sets.ts'
import type { JobResult } from '../simulation-set.ts'

/** The work of one process. */
export interface WorkerOrder {
  readonly sets: readonly SetName[]
  readonly seed: string
  /** Undefined: all. */
  readonly functions: readonly string[] | undefined
  /** Only the jobs whose id contains this text. Undefined: all. */
  readonly job: string | undefined
  /** This process runs the jobs and topics of each set whose number has this rest when divided by `processes`. */
  readonly index: number
  readonly processes: number
  /** No job begins after this time, in seconds. */
  readonly seconds: number
}

/** A message of a process to the one that started it. */
export type WorkerMessage =
  | { readonly kind: 'began'; readonly set: SetName; readonly id: string }
  | { readonly kind: 'ended'; readonly set: SetName; readonly id: string; readonly result: JobResult }
  /** A bug of the simulation itself. */
  | { readonly kind: 'broke'; readonly set: SetName; readonly id: string; readonly error: string }
