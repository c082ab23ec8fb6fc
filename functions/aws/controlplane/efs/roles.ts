import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  serviceAccount,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import { efsControllerAccount, efsControllerName, efsNodeAccount, efsNodeName } from './names.ts'

const read = ['get', 'list', 'watch']
const controllerRole = 'efs-csi-external-provisioner-role'
const nodeRole = 'efs-csi-node-role'

/** Labels name the component to which an account or a role belongs. */
const labelsOf = (component: string) => ({ 'app.kubernetes.io/name': component })
const ofController = labelsOf(efsControllerName)
const ofNode = labelsOf(efsNodeName)

export const efsRoles = (): readonly KubernetesObject[] => [
  serviceAccount(systemNamespace, efsControllerAccount, { labels: ofController, mounted: true }),
  serviceAccount(systemNamespace, efsNodeAccount, { labels: ofNode, mounted: true }),
  clusterRole(
    controllerRole,
    [
      allow('', 'persistentvolumes', [...read, 'create', 'patch', 'delete']),
      allow('', 'persistentvolumeclaims', [...read, 'update']),
      allow('storage.k8s.io', 'storageclasses', read),
      allow('', 'events', ['list', 'watch', 'create', 'patch']),
      allow('storage.k8s.io', 'csinodes', read),
      allow('', 'nodes', read),
      allow('coordination.k8s.io', 'leases', ['get', 'watch', 'list', 'delete', 'update', 'create']),
    ],
    ofController,
  ),
  clusterRole(nodeRole, [allow('', 'nodes', [...read, 'patch'])], ofNode),
  clusterRoleBinding({
    name: 'efs-csi-provisioner-binding',
    role: controllerRole,
    account: efsControllerAccount,
    labels: ofController,
  }),
  clusterRoleBinding({
    name: 'efs-csi-node-binding',
    role: nodeRole,
    account: efsNodeAccount,
    labels: ofNode,
  }),
]
