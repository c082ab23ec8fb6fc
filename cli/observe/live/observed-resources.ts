import { clusterKind, kindNames, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import type { GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'

/** The resources that an observer of a seed lists. The ClusterRole in docs/operations.md allows it. */
export const observedResources: readonly GroupVersionResource[] = [
  ...kindNames.map(kind => kinds[kind].resource),
  clusterKind.resource,
  managedResourceKind.resource,
  machineKinds.MachineDeployment.resource,
  machineKinds.Machine.resource,
]
