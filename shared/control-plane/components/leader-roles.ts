import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  systemNamespace,
} from '../../manifests/manifests.ts'

/** For the election of a leader. */
const leases = allow('coordination.k8s.io', 'leases', ['get', 'watch', 'list', 'delete', 'update', 'create'])

/**
 * Returns the roles in the shoot of components that elect leaders: the given rules in the whole shoot, and Leases in
 * `kube-system`.
 *
 * @param rules by ServiceAccount
 */
export const leaderRoles = (
  rules: Readonly<Record<string, Parameters<typeof clusterRole>[1]>>,
  roleName: (account: string) => string,
): readonly KubernetesObject[] =>
  Object.entries(rules).flatMap(([account, ofCluster]) => {
    const name = roleName(account)
    return [
      clusterRole(name, ofCluster),
      clusterRoleBinding({ name, account }),
      role(systemNamespace, name, [leases]),
      roleBinding(systemNamespace, { name, account }),
    ]
  })

/** The role of a CSI driver on the nodes that attaches and mounts volumes, and its binding. */
export const driverRoles = (role: string, account: string): readonly KubernetesObject[] => {
  const readAndWrite = ['get', 'list', 'watch', 'update', 'patch']
  return [
    clusterRole(role, [
      allow('', 'nodes', ['get', 'list', 'update']),
      allow('', 'namespaces', ['get', 'list']),
      allow('', 'persistentvolumes', readAndWrite),
      allow('storage.k8s.io', 'volumeattachments', readAndWrite),
    ]),
    clusterRoleBinding({ name: role, account }),
  ]
}
