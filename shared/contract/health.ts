import { recordOf, recordsOf } from '../decode/record-of.ts'
import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import { machineGroup, resourceGroup, version } from './constants.ts'
import type { KindName } from './kinds.ts'

/** Objects in the same namespace on which a condition of an object depends. */
export interface HealthDependency {
  readonly resource: GroupVersionResource
  /** Default: all. */
  readonly labelSelector?: string
}

/** A kind with a condition that the backend updates and gardenlet reads. */
export interface MonitoredKind {
  readonly condition: string
  readonly dependsOn: readonly HealthDependency[]
}

/** Label of every controller of a control plane, also of other clients. Request servers have the value `server`. */
export const controllerSelector = 'high-availability-config.resources.gardener.cloud/type=controller'

/** Dependencies of the conditions by kind (docs/contract/health.md#what-is-checked). Absent kinds have none. */
export const monitoredKinds: Partial<Readonly<Record<KindName, MonitoredKind>>> = {
  ControlPlane: {
    condition: 'ControlPlaneHealthy',
    dependsOn: [
      {
        resource: { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
        labelSelector: controllerSelector,
      },
    ],
  },
  Extension: {
    condition: 'ControlPlaneHealthy',
    // The same resource as for waits: one watch serves both.
    dependsOn: [
      { resource: { group: resourceGroup, version, plural: 'managedresources', namespaced: true } },
    ],
  },
  Worker: {
    condition: 'EveryNodeReady',
    // Literal names: the bridge only watches and needs no schemas.
    dependsOn: [
      { resource: { group: machineGroup, version, plural: 'machinedeployments', namespaced: true } },
    ],
  },
}

/**
 * A check writes an unchanged condition again only after this time, in milliseconds, and never if its reason is
 * `roundReason`. The bridge concludes from the write that the function answers
 * (docs/decisions/0052-health-by-events.md).
 */
export const refreshAfterMs = 120_000

/**
 * The `reason` of checks for which the bridge expects no write. Older bridges never send it, and expect a write for
 * every check of an old condition.
 */
export const roundReason = 'round'

/** Objects in deletion or migration retain their last conditions (docs/contract/health.md#when). */
export const isChecked = ({
  deletionTimestamp,
  requested,
  lastOperation,
}: {
  readonly deletionTimestamp: string | undefined
  readonly requested: string | undefined
  readonly lastOperation: { readonly type: string } | undefined
}): boolean => deletionTimestamp === undefined && requested !== 'migrate' && lastOperation?.type !== 'Migrate'

/** The healthy status of conditions of a Deployment or MachineDeployment, by type. */
export const healthyStatus: Readonly<Record<string, string>> = {
  Available: 'True',
  Progressing: 'True',
  ReplicaFailure: 'False',
  Frozen: 'False',
  ResourcesApplied: 'True',
  ResourcesHealthy: 'True',
}

/**
 * Returns the facts of an object that a dependent condition uses, as a text; equal texts mean that a check would find
 * no difference. Messages count only if the check would report them.
 */
export const healthFacts = ({ metadata, spec, status }: KubernetesObject): string => {
  const { observedGeneration, conditions, failedMachines } = recordOf(status)
  const isOutdated = !(Number(observedGeneration ?? 0) >= (metadata.generation ?? 0))
  const relevant = recordsOf(conditions).flatMap(({ type, status, reason, message }) => {
    const healthy = typeof type === 'string' ? healthyStatus[type] : undefined
    if (healthy === undefined) return []
    return [status === healthy ? [type] : [type, status, reason, message]]
  })
  const failed = recordsOf(failedMachines).map(({ name, lastOperation }) => [
    name,
    recordOf(lastOperation).description,
  ])
  return JSON.stringify([
    isOutdated && [observedGeneration, metadata.generation],
    recordOf(spec).replicas === 0,
    relevant.toSorted(),
    failed.toSorted(),
  ])
}
