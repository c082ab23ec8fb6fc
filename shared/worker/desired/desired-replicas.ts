import { configurationProblem } from '../../contract/errors.ts'
import type { MachineDeployment, Worker } from '../../contract/objects.ts'

/** The inputs for the replicas of a Worker's deployments (docs/contract/workers.md#replicas). */
export interface ReplicasSituation {
  readonly worker: Worker
  /** True if hibernation is enabled, even if it is not complete. */
  readonly hibernation: boolean
  /** All MachineDeployments of the namespace, read after the classes were written. */
  readonly observed: readonly MachineDeployment[]
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
export const desiredReplicas = ({ worker, hibernation, observed }: ReplicasSituation) => {
  const isScaled = worker.spec.pools.some(({ minimum, maximum }) => maximum > minimum)
  const present = new Map(observed.map(({ metadata, spec }) => [metadata.name, spec?.replicas ?? 0]))
  // True after a wake-up: the machine controller runs again, and no deployment has machines yet.
  const isAsleep = [...present.values()].every(replicas => replicas === 0)
  return ({ name, minimum, maximum }: DeploymentLimits): number | undefined => {
    if (hibernation) return 0
    if (!isScaled) return minimum
    const replicas = present.get(name)
    if (replicas === undefined || isAsleep || replicas < minimum) return minimum
    return replicas > maximum ? maximum : undefined
  }
}

/**
 * Distributes a whole number over the zones of a pool; the first ones get the remainder
 * (docs/contract/workers.md#distribution). The shares add up to the total; without zones there are no shares.
 *
 * @example distribute(5, 3) // [2, 2, 1]
 */
export const distribute = (total: number, zones: number): readonly number[] =>
  Array.from({ length: zones }, (_, i) => Math.floor(total / zones) + (i < total % zones ? 1 : 0))

/**
 * Distributes `maxSurge` or `maxUnavailable` over the zones of a pool: a number like `distribute`, a percentage so that
 * each zone gets its share of the pool's result (docs/contract/workers.md#distribution).
 *
 * @param total the number of machines that the percentage refers to: `maximum` for `maxSurge`, `minimum` for
 *   `maxUnavailable`
 * @throws CodedError for an invalid percentage
 *
 * @example distributeLimit('15%', 10, 3) // ['18%', '14%', '14%']
 */
export const distributeLimit = (
  limit: number | string,
  total: number,
  zones: number,
): readonly (number | string)[] => {
  if (typeof limit === 'number') return distribute(limit, zones)
  const percent = percentOf(limit)
  // Includes the case of no machines, in which no zone has a share.
  if (total % zones === 0) return distribute(total, zones).map(() => limit)
  // Do not change the order of operations: the rounded result must equal the one that the machine controller of a seed
  // already has.
  return distribute(total, zones).map(
    share => `${Math.ceil(((100 / (total / zones)) * share * percent) / 100)}%`,
  )
}

const percentOf = (text: string): number => {
  const [, digits] = /^([0-9]{1,9})%$/.exec(text) ?? []
  if (digits !== undefined) return Number(digits)
  const shown = JSON.stringify(text.slice(0, 64))
  throw configurationProblem(`expected a number or a percentage such as 25%, found ${shown}`)
}
