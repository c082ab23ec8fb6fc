import type * as z from 'zod'
import type { Clock } from '../../clock/clock.ts'
import type { HealthDefinition } from '../../health/health.ts'
import type { Permission } from '../../kubernetes/kubernetes.ts'
import type { Actuator, Backend } from '../../lifecycle/lifecycle.ts'
import type { SourcePlace } from './definition-error.ts'
import type { FunctionRegistration } from './function-registration.ts'
import type { FunctionServiceInput } from './function-service.ts'

/** What a function may do in the API server beyond what the lifecycle does for its kind. */
export interface FunctionPermission extends Permission {
  /** What for: a comment of its RBAC rule. */
  readonly why: string
}

/** What a function is made with, beside its settings. */
export interface FunctionDeps<Connection = unknown> {
  readonly clock: Clock
  /** How the cloud is reached, where it is another one than the real one. Its type is the provider's business. */
  readonly connection?: Connection
}

/**
 * A function as data: which objects it is for, what can be set, what it needs. Nothing is made by reading it. Made by
 * `defineFunction`.
 */
export interface FunctionDefinition
  extends Required<Pick<Backend, 'kind' | 'types' | 'classes'>>,
    Pick<Backend, 'finalizerSuffix' | 'resyncMs' | 'ignoresSecret' | 'classifiers'> {
  /** The name of the Knative Service, of its Trigger and of its ServiceAccount. */
  readonly name: string
  /** The function's own settings; those of every function's process come on top. */
  readonly settings: z.ZodObject
  readonly permissions: readonly FunctionPermission[]
  /** What is absent is a default of `functionService`. */
  readonly service: FunctionServiceInput
  /** Which conditions it keeps up to date. Absent: none. */
  readonly health?: HealthDefinition
  /** What Gardener is told of its objects when it is registered, beside kind, type and classes. Absent: nothing. */
  readonly registration?: FunctionRegistration
  /** Where it is defined; undefined where the stack does not tell. */
  readonly place: SourcePlace | undefined
  /** Makes the actuator of one process, of settings that this definition's `settings` have parsed. */
  readonly create: (settings: Readonly<Record<string, unknown>>, deps: FunctionDeps) => Actuator
}

/** Known under this name to every copy of the library in a process. */
export const madeByDefineFunction = Symbol.for('trellis.gardener.cloud/function-definition')

/** Whether a value was made by `defineFunction`. */
export const isFunctionDefinition = (value: unknown): value is FunctionDefinition =>
  typeof value === 'object' && value !== null && madeByDefineFunction in value
