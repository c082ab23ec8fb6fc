import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import { machineGroup, resourceGroup, version } from './constants.ts'
import type { KindName } from './kinds.ts'
import { recordOf } from './record-of.ts'

/** Objects of an object's own namespace that a condition of it depends on. */
export interface HealthDependency {
  readonly resource: GroupVersionResource
  /** Absent: all of them. */
  readonly labelSelector?: string
}

/** A kind of which gardenlet reads a condition that a backend keeps up to date. */
export interface MonitoredKind {
  /** Type of the condition. */
  readonly condition: string
  readonly dependsOn: readonly HealthDependency[]
}

/** On every controller of a control plane, whoever has made it; `server` on what answers requests. */
export const controllerSelector = 'high-availability-config.resources.gardener.cloud/type=controller'

/** What the conditions of a kind depend on (docs/contract/health.md#what-is-checked). A kind that is absent has none. */
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
    // The bridge watches them for waits, too: one watch serves both.
    dependsOn: [
      { resource: { group: resourceGroup, version, plural: 'managedresources', namespaced: true } },
    ],
  },
  Worker: {
    condition: 'EveryNodeReady',
    // Written out: who only watches needs no schemas.
    dependsOn: [
      { resource: { group: machineGroup, version, plural: 'machinedeployments', namespaced: true } },
    ],
  },
}

/**
 * A condition that was found the same again is written only when it was last written so long ago, in ms: by that the bridge sees
 * that it is checked (docs/decisions/0052-health-by-events.md).
 */
export const refreshAfterMs = 120_000

/** What goes, to another seed or for good, is left as it was told last (docs/contract/health.md#when). */
export const isChecked = ({
  deletionTimestamp,
  requested,
  lastOperation,
}: {
  readonly deletionTimestamp: string | undefined
  readonly requested: string | undefined
  readonly lastOperation: { readonly type: string } | undefined
}): boolean => deletionTimestamp === undefined && requested !== 'migrate' && lastOperation?.type !== 'Migrate'

/** The status with which a condition of a Deployment or MachineDeployment says nothing bad, by its type. */
export const healthyStatus: Readonly<Record<string, string>> = {
  Available: 'True',
  Progressing: 'True',
  ReplicaFailure: 'False',
  Frozen: 'False',
  ResourcesApplied: 'True',
  ResourcesHealthy: 'True',
}

/**
 * What of an object matters to a condition that depends on it, as a text: equal exactly while a check would find the same.
 * Texts for people count only where they would be told.
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

const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordOf) : []
