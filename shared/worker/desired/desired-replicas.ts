import type { MachineDeployment, Worker } from '../../contract/objects.ts'

/** The inputs for the replicas of a Worker's deployments (docs/contract/workers.md#replicas). */
export interface ReplicasSituation {
  readonly worker: Worker
  /** True if hibernation is enabled, even if it is not complete. */
  readonly hibernation: boolean
  /** All MachineDeployments of the namespace, read after the classes were written. */
  readonly observed: readonly MachineDeployment[]
  /** Replicas by deployment name, from a state that is being restored. */
  readonly restored?: ReadonlyMap<string, number>
}

/** A desired deployment with the limits of its zone. */
export interface DeploymentLimits {
  readonly name: string
  readonly minimum: number
  readonly maximum: number
}

/**
 * Returns the desired replicas of a deployment, or undefined to retain the current ones, because the autoscaler
 * decides.
 *
 * @example const replicasOf = desiredReplicas({ worker, hibernation: false, observed }) replicasOf({ name:
 *   'shoot--p--x-a-z1', minimum: 1, maximum: 3 }) // undefined
 */
export const desiredReplicas = ({ worker, hibernation, observed, restored }: ReplicasSituation) => {
  const isScaled = worker.spec.pools.some(({ minimum, maximum }) => maximum > minimum)
  const present = new Map(observed.map(({ metadata, spec }) => [metadata.name, spec?.replicas ?? 0]))
  // True after a wake-up: the machine controller runs again, and no deployment has machines yet.
  const isAsleep = [...present.values()].every(replicas => replicas === 0)
  return ({ name, minimum, maximum }: DeploymentLimits): number | undefined => {
    if (hibernation) return 0
    if (!isScaled) return minimum
    const replicas = present.get(name)
    if (replicas === undefined) return restored?.get(name) ?? minimum
    if (isAsleep || replicas < minimum) return minimum
    return replicas > maximum ? maximum : undefined
  }
}
