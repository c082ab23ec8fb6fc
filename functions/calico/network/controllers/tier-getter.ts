import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { allow, clusterRole } from '../../../../shared/manifests/manifests.ts'
import type { CalicoComponent } from '../rendering.ts'

const name = 'calico-tier-getter'
const group = 'rbac.authorization.k8s.io'

/** The controller manager of Kubernetes collects policies of tiers, and needs permission to read tiers. */
export const tierGetter: CalicoComponent = () => [
  clusterRole(name, [allow('projectcalico.org', 'tiers', ['get'])]),
  binding,
]

const binding: KubernetesObject = {
  apiVersion: `${group}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name },
  subjects: [{ apiGroup: group, kind: 'User', name: 'system:kube-controller-manager' }],
}
