import type { Clock } from '../../clock/clock.ts'
import type { Cluster } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { Secret } from '../actuator.ts'
import type { ReadKubernetes } from './plan-kubernetes.ts'

/** The input of a plan for an object of one kind. */
export interface ObjectPlanInput<O> {
  readonly object: O
  readonly secret: Secret
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Plans the deletion instead of reconciling. */
  readonly destroy?: boolean
}

/** The input of a plan that calls a cloud. */
export interface CloudPlanInput<O, Connection> extends ObjectPlanInput<O> {
  readonly connection: Connection
}

/** The input of a plan that reads the seed. */
export interface SeedPlanInput<O> extends ObjectPlanInput<O> {
  readonly cluster: Cluster | undefined
  readonly kubernetes: ReadKubernetes
}

/** Returns the input with its Cluster. Throws an Error if the namespace has none. */
export const withCluster = <O extends KubernetesObject, Input extends SeedPlanInput<O>>({
  cluster,
  ...input
}: Input & SeedPlanInput<O>) => {
  if (cluster === undefined)
    throw new Error(`the namespace ${input.object.metadata.namespace} has no Cluster`)
  return { ...input, cluster }
}

/** The `throwIfExpired` of a plan: refuses every write. */
export const refuseWrites = (): never => {
  throw new Error('a plan must not change anything')
}
