import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import { machineGroup, resourceGroup, version } from './constants.ts'
import type { KindName } from './kinds.ts'
import { recordOf } from './record-of.ts'

/** Objects that somebody else brings to an end, and that the steps of a kind wait for in their own namespace. */
export interface AwaitedResource {
  readonly resource: GroupVersionResource
  /** Whether there is nothing more to wait for, as far as this object tells: it is as it shall be, or has failed. */
  readonly isSettled: (object: KubernetesObject) => boolean
}

/** Written out: who only watches needs no schemas. */
const managedResources: AwaitedResource = {
  resource: { group: resourceGroup, version, plural: 'managedresources', namespaced: true },
  isSettled: object => areApplied(object),
}

/**
 * What the steps of a kind wait for beside the cloud. When it changes they have reason to look before their time, and the
 * bridge wakes them (docs/decisions/0043). A kind that is absent waits for nothing that Kubernetes can tell.
 */
export const awaitedBy: Partial<Readonly<Record<KindName, readonly AwaitedResource[]>>> = {
  Worker: [
    {
      resource: { group: machineGroup, version, plural: 'machinedeployments', namespaced: true },
      isSettled: object => hasFailedMachines(object) || isRolledOut(object),
    },
  ],
  // The very same resource: one watch serves all of them.
  ControlPlane: [managedResources],
  Network: [managedResources],
  ContainerRuntime: [managedResources],
  Extension: [managedResources],
}

/**
 * What of an awaited object matters to who waits, as a text: equal exactly while a step would see the same. Generation and
 * deletion, and of the status its numbers, its conditions and which machines have failed. Times do not count, nor do texts
 * for people: both are written anew without anything being otherwise.
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

/** As a step's wait for machines ends, as far as the MachineDeployment alone tells (docs/contract/workers.md#waits). */
const isRolledOut = ({ metadata, spec, status }: KubernetesObject): boolean => {
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

/** As a step's wait for healthy objects ends (docs/contract/managed-resources.md#waits). */
const areApplied = ({ metadata, status }: KubernetesObject): boolean => {
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

const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordOf) : []
