import type { Clock } from '../clock/clock.ts'
import type { ConditionUpdate } from '../contract/conditions.ts'
import type { Cluster } from '../contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'
import type { Log } from '../log/log.ts'
import type { SecondaryOperation } from './secondary-record.ts'

/** Refuses resources of extension objects when types are checked; `secondaryKubernetes` refuses them in a step. */
type OwnResource<R extends GroupVersionResource> = R['group'] extends 'extensions.gardener.cloud' ? never : R

type SecondaryWrite<M extends 'create' | 'patch' | 'apply' | 'delete'> = <
  const R extends GroupVersionResource,
>(
  resource: OwnResource<R>,
  ...rest: Parameters<StepKubernetes[M]> extends readonly [unknown, ...infer Rest] ? Rest : never
) => ReturnType<StepKubernetes[M]>

/**
 * Kubernetes for the own objects of a secondary function. Each call ends with the step. Allows only the definition's
 * `permissions`, and refuses writes to extension objects: those belong to their primary controllers.
 */
export interface SecondaryKubernetes extends Pick<StepKubernetes, 'get' | 'list'> {
  readonly create: SecondaryWrite<'create'>
  readonly patch: SecondaryWrite<'patch'>
  readonly apply: SecondaryWrite<'apply'>
  readonly delete: SecondaryWrite<'delete'>
}

/** The context of a secondary function for one step. */
export interface SecondaryContext<O extends KubernetesObject = KubernetesObject> {
  /** The live object, parsed with its schema. It belongs to the primary controller. */
  readonly object: O
  /** `observe`; or the reason of a clean-up: `delete`, or `migrate` to another seed. */
  readonly operation: SecondaryOperation
  /** The last operation of the primary controller. Undefined: it has not started. */
  readonly primary: { readonly type: string; readonly state: string } | undefined
  /**
   * For `metadata.ownerReferences` of own objects in the object's namespace: Kubernetes deletes them with the object,
   * without a clean-up step.
   */
  readonly owner: Readonly<Record<'apiVersion' | 'kind' | 'name' | 'uid', string>>
  /** The Cluster of the shoot. Undefined for objects outside of a shoot's namespace. */
  readonly cluster: Cluster | undefined
  readonly kubernetes: SecondaryKubernetes
  /** Aborts at the step's deadline or when the process must end. Pass it to every call. */
  readonly signal: AbortSignal
  /** Throws `StepExpiredError` if the step's time is over. Call it right before every write outside of Kubernetes. */
  readonly throwIfExpired: () => void
  readonly clock: Clock
  readonly log: Log
}

/** The fields of a status that only the primary controller writes. */
export type PrimaryFields = Readonly<
  Partial<
    Record<
      | 'status'
      | 'spec'
      | 'lastOperation'
      | 'lastError'
      | 'observedGeneration'
      | 'state'
      | 'providerStatus'
      | 'resources',
      never
    >
  >
>

/** The result of a successful step. A failed one throws, and is retried with backoff. */
export interface SecondaryResult<C extends string = string> extends PrimaryFields {
  /** Updates of the definition's `conditions`. Other conditions are retained. Default: no change. */
  readonly conditions?: { readonly [T in C]?: ConditionUpdate }
  /** Runs the next step after this many milliseconds, also without a change. A value below 1000 becomes 1000. */
  readonly againAfterMs?: number
}

/** The author's part of a secondary function: short, idempotent steps. */
export interface SecondaryActuator<O extends KubernetesObject = KubernetesObject, C extends string = string> {
  /**
   * Runs after the creation of an object, each change of its spec, and each success of its primary controller. It must
   * be idempotent.
   */
  readonly observe: (step: SecondaryContext<O>) => Promise<SecondaryResult<C>>
  /**
   * Cleans up before the object is deleted or migrated. The function then has a finalizer of its own. Absent: no
   * finalizer; Kubernetes deletes own objects that have the `owner`.
   */
  readonly remove?: (step: SecondaryContext<O>) => Promise<SecondaryResult<C>>
}

/** The part of a function's definition that makes it a secondary controller. */
export interface SecondaryDefinition {
  /** The types of its conditions. */
  readonly conditions: readonly string[]
  /** Creates the actuator of one process. */
  readonly create: (settings: Readonly<Record<string, unknown>>, deps: never) => SecondaryActuator
}
