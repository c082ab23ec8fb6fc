import { recordOf, recordsOf } from '../decode/record-of.ts'
import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import { machineGroup, resourceGroup, version } from './constants.ts'
import type { KindName } from './kinds.ts'

/** Objects that another controller completes, and that the steps of a kind wait for in their namespace. */
export interface AwaitedResource {
  readonly resource: GroupVersionResource
  /** Returns true if this object needs no more waiting: it is complete or has failed. */
  readonly isComplete: (object: KubernetesObject) => boolean
}

/** Literal names: the bridge only watches and needs no schemas. */
const managedResources: AwaitedResource = {
  resource: { group: resourceGroup, version, plural: 'managedresources', namespaced: true },
  isComplete: object => areApplied(object),
}

/**
 * The objects that steps of a kind wait for besides the cloud. When one changes, the bridge wakes the waiting objects
 * early (docs/decisions/0043). Absent kinds wait for nothing in Kubernetes.
 */
export const awaitedBy: Partial<Readonly<Record<KindName, readonly AwaitedResource[]>>> = {
  Worker: [
    {
      resource: { group: machineGroup, version, plural: 'machinedeployments', namespaced: true },
      isComplete: object => hasFailedMachines(object) || isRolledOut(object),
    },
  ],
  // Shared: one watch serves all these kinds.
  ControlPlane: [managedResources],
  Network: [managedResources],
  ContainerRuntime: [managedResources],
  Extension: [managedResources],
}

/**
 * Returns the facts of an awaited object that a waiting step uses, as a text; equal texts mean that the step would see
 * no difference. They are the generation, the deletion, and from the status its numbers, conditions and failed
 * machines. Times and messages are excluded, because they change without a new state.
 */
export const awaitedFacts = ({ metadata, status }: KubernetesObject): string => {
  const fields = recordOf(status)
  const numbers = Object.entries(fields)
    .filter(([, value]) => typeof value === 'number')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const conditions = recordsOf(fields.conditions).map(({ type, status, reason }) => [type, status, reason])
  const failed = recordsOf(fields.failedMachines).map(({ name, lastOperation }) => {
    const { type, state, errorCode } = recordOf(lastOperation)
    return [name, type, state, errorCode]
  })
  const isDeleting = metadata.deletionTimestamp !== undefined
  return JSON.stringify([metadata.generation, isDeleting, numbers, conditions.toSorted(), failed.toSorted()])
}

const hasFailedMachines = ({ status }: KubernetesObject): boolean =>
  recordsOf(recordOf(status).failedMachines).length > 0

/** Ends a step's wait for machines, as far as the MachineDeployment alone shows (docs/contract/workers.md#waits). */
export const isRolledOut = ({ metadata, spec, status }: KubernetesObject): boolean => {
  const { observedGeneration, ...fields } = recordOf(status)
  const conditions = new Map(recordsOf(fields.conditions).map(({ type, status }) => [type, status]))
  const { replicas: desired = 0 } = recordOf(spec)
  const { replicas = 0, updatedReplicas = 0, unavailableReplicas = 0 } = fields
  return (
    metadata.deletionTimestamp === undefined &&
    typeof observedGeneration === 'number' &&
    observedGeneration >= (metadata.generation ?? 0) &&
    replicas === desired &&
    updatedReplicas === desired &&
    unavailableReplicas === 0 &&
    conditions.get('Available') === 'True' &&
    conditions.get('Progressing') !== 'False' &&
    conditions.get('ReplicaFailure') !== 'True' &&
    conditions.get('Frozen') !== 'True'
  )
}

/** Ends a step's wait for healthy objects (docs/contract/managed-resources.md#waits). */
export const areApplied = ({ metadata, status }: KubernetesObject): boolean => {
  const { observedGeneration, ...fields } = recordOf(status)
  const conditions = new Map(recordsOf(fields.conditions).map(({ type, status }) => [type, status]))
  return (
    metadata.deletionTimestamp === undefined &&
    observedGeneration === metadata.generation &&
    conditions.get('ResourcesApplied') === 'True' &&
    conditions.get('ResourcesHealthy') === 'True' &&
    conditions.get('ResourcesProgressing') === 'False'
  )
}
