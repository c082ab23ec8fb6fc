import { recordOf, recordsOf } from '../decode/record-of.ts'
import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import { machineGroup, resourceGroup, version } from './constants.ts'
import type { KindName } from './kinds.ts'

/** Objects in the same namespace on which a condition of an object depends. */
export interface HealthDependency {
  readonly resource: GroupVersionResource
  /** Only the object with this name. Default: all. */
  readonly name?: string
  /** Default: all. */
  readonly labelSelector?: string
}

/** The health of objects: the conditions that a function writes, and the objects from which it derives them. */
export interface FunctionHealth {
  /** Types of conditions. */
  readonly conditions: readonly string[]
  /** The bridge watches these, and orders a check when one changes. */
  readonly reads: readonly HealthDependency[]
}

/** The health of the objects of one function. */
export interface DeclaredHealth extends FunctionHealth {
  readonly kind: KindName
  /** `spec.type` */
  readonly type: string
}

/**
 * The types of conditions that gardenlet copies from extensions to the conditions of a Shoot
 * (`pkg/gardenlet/controller/shoot/care/health.go` of gardener v1.147).
 */
export const shootConditions = [
  'ControlPlaneHealthy',
  'EveryNodeReady',
  'SystemComponentsHealthy',
  'ObservabilityComponentsHealthy',
] as const

/** The kinds whose conditions gardenlet reads (`retrieveExtensions` in the same file). */
export const kindsWithShootConditions: readonly KindName[] = [
  'BackupEntry',
  'ContainerRuntime',
  'ControlPlane',
  'Extension',
  'Infrastructure',
  'Network',
  'OperatingSystemConfig',
  'Worker',
]

/** Label of every controller of a control plane, also of other clients. Request servers have the value `server`. */
export const controllerSelector = 'high-availability-config.resources.gardener.cloud/type=controller'

/**
 * The health of kinds whose functions declare nothing else (docs/contract/health.md#what-is-checked). Absent kinds have
 * none.
 */
export const monitoredKinds: Partial<Readonly<Record<KindName, FunctionHealth>>> = {
  ControlPlane: {
    conditions: ['ControlPlaneHealthy'],
    reads: [
      {
        resource: { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
        labelSelector: controllerSelector,
      },
    ],
  },
  Extension: {
    conditions: ['ControlPlaneHealthy'],
    // The same resource as for waits: one watch serves both.
    reads: [{ resource: { group: resourceGroup, version, plural: 'managedresources', namespaced: true } }],
  },
  Worker: {
    conditions: ['EveryNodeReady'],
    // Literal names: the bridge only watches and needs no schemas.
    reads: [{ resource: { group: machineGroup, version, plural: 'machinedeployments', namespaced: true } }],
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

/** The resources whose health is in their conditions. */
const withConditions = ['deployments', 'machinedeployments', 'managedresources']

/**
 * Returns the facts of an object that a dependent condition uses, as a text; equal texts mean that a check would find
 * no difference. Messages count only if the check would report them. For other resources, every
 * field counts except bookkeeping.
 */
export const dependencyFacts = (plural: string, object: KubernetesObject): string => {
  if (withConditions.includes(plural)) return healthFacts(object)
  const { metadata, ...content } = object
  const { name, labels, annotations, generation, deletionTimestamp } = metadata
  return JSON.stringify([name, labels, annotations, generation, deletionTimestamp, content])
}

/** The same for a Deployment, MachineDeployment or ManagedResource. */
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
