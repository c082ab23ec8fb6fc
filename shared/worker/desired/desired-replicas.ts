import type { MachineDeployment, Worker } from '../../contract/objects.ts'

/** What decides how many machines the deployments of a Worker have (docs/contract/workers.md#replicas). */
export interface ReplicasSituation {
  readonly worker: Worker
  /** Hibernation is wanted, reached or not. */
  readonly hibernation: boolean
  /** Every MachineDeployment of the namespace, as it was read after the classes were written. */
  readonly observed: readonly MachineDeployment[]
  /** Replicas by the name of the deployment, of a state that is being restored. */
  readonly restored?: ReadonlyMap<string, number>
}

/** A deployment that shall be, with the limits of its zone. */
export interface DeploymentLimits {
  readonly name: string
  readonly minimum: number
  readonly maximum: number
}

/**
 * How many machines a deployment shall have; undefined: as many as it has, since the autoscaler decides it.
 *
 * @example
 * const replicasOf = desiredReplicas({ worker, hibernation: false, observed })
 * replicasOf({ name: 'shoot--p--x-a-z1', minimum: 1, maximum: 3 }) // undefined
 */
export const desiredReplicas = ({ worker, hibernation, observed, restored }: ReplicasSituation) => {
  const isScaled = worker.spec.pools.some(({ minimum, maximum }) => maximum > minimum)
  const present = new Map(observed.map(({ metadata, spec }) => [metadata.name, spec?.replicas ?? 0]))
  // A Worker that was woken up: the machine controller is there again, and no deployment has machines yet.
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
