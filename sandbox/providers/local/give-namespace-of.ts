import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ProviderCluster } from './cluster/provider-cluster.ts'

/** Kinds with objects in the namespace that the Infrastructure of their shoot created. */
const within = new Set(['Bastion', 'SelfHostedShootExposure', 'Worker', 'ControlPlane'])

/** Creates the namespace of a shoot in the provider cluster, as its Infrastructure left it, if an object needs one. */
export const giveNamespaceOf = (
  cluster: ProviderCluster,
  { kind, metadata: { namespace } }: KubernetesObject,
  shoot: KubernetesObject | undefined,
  newUid: () => string,
): void => {
  if (namespace === undefined || !within.has(kind)) return
  const id: unknown = Object(Object(Object(shoot?.spec).shoot).status).technicalID ?? namespace
  const name = `infra-${String(id)}`
  if (cluster.snapshot().some(one => one.kind === 'Namespace' && one.metadata.name === name)) return
  const labels = { 'gardener.cloud/role': 'infra', 'kubernetes.io/metadata.name': name }
  cluster.restore([
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: newUid(), labels },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
  ])
}
