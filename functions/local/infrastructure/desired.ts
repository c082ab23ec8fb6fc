import { isSelfHosted } from '../../../shared/contract/cluster-facts.ts'
import type { Cluster } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  infraNamespaceOf,
  type MachineAddressPool,
  machinePoolsOf,
  type ProviderObject,
  providerResources,
  technicalIdOf,
} from '../provider/local.ts'
import { allowMachinePods, denyAll } from './network-policies.ts'

/** The namespace for all other objects of the shoot. */
export const desiredNamespace = (cluster: Cluster): ProviderObject => ({
  resource: providerResources.Namespace,
  object: {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: infraNamespaceOf(cluster), labels: { 'gardener.cloud/role': 'infra' } },
  },
})

/**
 * Returns the objects to create in the namespace, in this order: the IP pools, which are deleted with it, and the
 * network policies for machines. Throws a `CodedError` if a shoot cannot have addresses.
 */
export const desiredNetwork = (
  cluster: Cluster,
): ((namespace: KubernetesObject) => readonly ProviderObject[]) => {
  const name = infraNamespaceOf(cluster)
  const pools = machinePoolsOf(cluster, technicalIdOf(cluster))
  const policies = [allowMachinePods(name, isSelfHosted(cluster)), denyAll(name)]
  return namespace => [
    ...pools.map(pool => ({ resource: providerResources.IPPool, object: ipPool(pool, namespace) })),
    ...policies.map(object => ({ resource: providerResources.NetworkPolicy, object })),
  ]
}

const ipPool = (
  { name, cidr, family }: MachineAddressPool,
  { metadata }: KubernetesObject,
): KubernetesObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPPool',
  metadata: {
    name,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: metadata.name, uid: metadata.uid }],
  },
  spec: {
    cidr,
    ipipMode: family === 'IPv4' ? 'Always' : 'Never',
    natOutgoing: true,
    nodeSelector: '!all()',
  },
})
