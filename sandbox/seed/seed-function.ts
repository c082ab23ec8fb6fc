import type * as z from 'zod'
import type { Clock } from '../../shared/clock/clock.ts'
import type { ExtensionFunction } from '../../shared/runtime/extension-function.ts'

/** A function of the repository, as the sandbox runs it: an entry of `functions/registry.ts`. */
export interface SeedFunction {
  /** The name of its Knative Service. */
  readonly name: string
  /** Where its `main.ts` stands, from the root of the repository. */
  readonly folder: string
  readonly settings: z.ZodObject
  readonly create: (
    settings: never,
    deps: { readonly clock: Clock; readonly connection: never },
  ) => ExtensionFunction
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
