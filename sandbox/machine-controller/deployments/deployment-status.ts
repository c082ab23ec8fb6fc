import type { MachineDeployment, MachineSet } from '../../../shared/contract/objects.ts'
import { updateLimits } from './update-limits.ts'

export type DeploymentStatus = NonNullable<MachineDeployment['status']>
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number]

type Count = 'replicas' | 'readyReplicas' | 'availableReplicas'

const sum = (sets: readonly MachineSet[], name: Count): number =>
  sets.reduce((total, { status }) => total + (status?.[name] ?? 0), 0)

export const sizeOf = ({ spec }: MachineSet): number => spec?.replicas ?? 0

const conditionOf = (status: DeploymentStatus | undefined, type: string): DeploymentCondition | undefined =>
  status?.conditions?.find(condition => condition.type === type)

/** Sets a condition in a status. A condition with the same status and reason is not changed. */
export const withCondition = (
  status: DeploymentStatus,
  condition: Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: string,
): DeploymentStatus => {
  const before = conditionOf(status, condition.type)
  if (before?.status === condition.status && before.reason === condition.reason) return status
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type)
  const changed = {
    ...condition,
    lastUpdateTime: now,
    ...(lastTransitionTime !== undefined && { lastTransitionTime }),
  }
  return { ...status, conditions: [...others, changed] }
}

/** Sets a number. Go omits zeros. */
const count = <N extends keyof DeploymentStatus>(name: N, value: number) =>
  value === 0 ? {} : { [name]: value }

const available = (isAvailable: boolean) =>
  ({
    type: 'Available',
    ...(isAvailable
      ? {
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        }),
  }) as const

/** Returns true if all machines belong to the newest set and are available. */
export const isComplete = (
  { spec, metadata }: MachineDeployment,
  { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 }: DeploymentStatus,
): boolean => {
  const wanted = spec?.replicas ?? 0
  return (
    updatedReplicas === wanted &&
    replicas === wanted &&
    availableReplicas === wanted &&
    observedGeneration >= (metadata.generation ?? 0)
  )
}

const progressed = (before: DeploymentStatus, now: DeploymentStatus): boolean => {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas
  return (
    (now.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(now) < old(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  )
}

const progressing = (
  deployment: MachineDeployment,
  status: DeploymentStatus,
  newest: MachineSet | undefined,
  now: string,
): DeploymentStatus => {
  const before = conditionOf(status, 'Progressing')
  const isDone = status.replicas === status.updatedReplicas && before?.reason === 'NewMachineSetAvailable'
  if (isDone || newest === undefined) return status
  const { name } = newest.metadata
  const condition = (reason: string, message: string) =>
    withCondition(status, { type: 'Progressing', status: 'True', reason, message }, now)
  if (isComplete(deployment, status))
    return condition('NewMachineSetAvailable', `MachineSet "${name}" has successfully progressed.`)
  return progressed(deployment.status ?? {}, status)
    ? condition('MachineSetUpdated', `MachineSet "${name}" is progressing.`)
    : status
}

export const deploymentStatus = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  newest: MachineSet | undefined,
  now: string,
): DeploymentStatus => {
  const { status: before, spec, metadata } = deployment
  const availableReplicas = sum(sets, 'availableReplicas')
  const size = sets.reduce((total, set) => total + sizeOf(set), 0)
  const failedMachines = sets.flatMap(({ status }) => status?.failedMachines ?? [])
  const status: DeploymentStatus = {
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...count('replicas', sum(sets, 'replicas')),
    ...count('updatedReplicas', newest?.status?.replicas ?? 0),
    ...count('readyReplicas', sum(sets, 'readyReplicas')),
    ...count('availableReplicas', availableReplicas),
    ...count('unavailableReplicas', Math.max(size - availableReplicas, 0)),
    ...(failedMachines.length > 0 && { failedMachines }),
    ...(before?.conditions && { conditions: before.conditions }),
  }
  const least = Math.max((spec?.replicas ?? 0) - (spec ? updateLimits(spec).unavailable : 0), 0)
  return progressing(
    deployment,
    withCondition(status, available(availableReplicas >= least), now),
    newest,
    now,
  )
}
