import type * as z from 'zod'
import type { Clock } from '../../clock/clock.ts'
import type { Actuator } from '../../lifecycle/actuator.ts'
import type { Backend } from '../../lifecycle/backend.ts'

/** What a function is made with, beside its settings. */
export interface FunctionDeps<Connection = unknown> {
  readonly clock: Clock
  /** How the cloud is reached, where it is another one than the real one. */
  readonly connection?: Connection
}

/** A function as data: which objects it is for and what can be set. Nothing is made by reading it. */
export interface FunctionDefinition extends Omit<Backend, 'actuator'> {
  /** The name of the Knative Service. */
  readonly name: string
  /** The function's own settings; those of every function's process come on top. */
  readonly settings: z.ZodObject
  /** Makes the actuator of one process. */
  readonly create: (settings: Readonly<Record<string, unknown>>, deps: FunctionDeps) => Actuator
}
