import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'

export const writeEvents = allow('', 'events', ['create', 'patch', 'update'])

/** The permissions of a controller in the shoot, and those for its leader election. `name`: of the roles. */
export const nodeRoles = (
  account: string,
  name: string,
  rules: Parameters<typeof clusterRole>[1],
): readonly KubernetesObject[] => [
  clusterRole(name, rules),
  clusterRoleBinding({ name, account }),
  role(systemNamespace, name, [
    allow('coordination.k8s.io', 'leases', ['get', 'update'], `${account}-leader-election`),
    allow('coordination.k8s.io', 'leases', ['create']),
    writeEvents,
  ]),
  roleBinding(systemNamespace, { name, account }),
]
