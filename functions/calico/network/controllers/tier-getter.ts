import { allow, clusterRole } from '../../../../build/library/components.ts'
import type { KubernetesObject } from '../../../../build/library/trellis.ts'
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
