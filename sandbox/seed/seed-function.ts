import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'

/** A function for the sandbox: its definition and the file that exports it. */
export interface SeedFunction extends FunctionDefinition {
  /** The absolute path of its `function.ts`. */
  readonly file: string
}

/** A function that serves events. */
export interface RunningFunction {
  readonly url: string
  /** Resolves when the function has ended for any reason. Absent: only `close` ends it. */
  readonly ended?: Promise<unknown>
  close(): Promise<void>
}

/** Starts a function for an event. */
export type StartFunction = (fn: SeedFunction) => Promise<RunningFunction>
