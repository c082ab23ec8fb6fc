import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'

/** A function as the sandbox runs it: its definition, and the file that exports it. */
export interface SeedFunction extends FunctionDefinition {
  /** The absolute path of its `function.ts`. */
  readonly file: string
}

/** A running function. */
export interface RunningFunction {
  readonly url: string
  /** Resolves when it has ended, for whatever reason; absent: it ends only by `close`. */
  readonly ended?: Promise<unknown>
  close(): Promise<void>
}

/** Starts a function; how is the runner's business (in this process, or in one of its own). */
export type StartFunction = (fn: SeedFunction) => Promise<RunningFunction>
