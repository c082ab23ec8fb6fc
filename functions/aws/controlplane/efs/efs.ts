import type { V1StorageClass } from '@kubernetes/client-node'
import { csiDriver } from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  deleteOnInvalidUpdate,
  serviceAccount,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import type { Component } from '../objects/workload.ts'
import { efsController } from './controller.ts'
import { efsControllerAccount, efsControllerName, efsDriver, efsNodeAccount, efsNodeName } from './names.ts'
import { efsNode } from './node.ts'

const read = ['get', 'list', 'watch']
const controllerRole = 'efs-csi-external-provisioner-role'
const nodeRole = 'efs-csi-node-role'

/** Labels name the component to which an account or a role belongs. */
const labelsOf = (component: string) => ({ 'app.kubernetes.io/name': component })
const ofController = labelsOf(efsControllerName)
const ofNode = labelsOf(efsNodeName)

const efsRoles = (): readonly KubernetesObject[] => [
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

/** Volumes in a file system of the shoot, if its infrastructure has one. */
export const efs: Component = {
  shoot: rendering =>
    rendering.hasFileSystem
      ? [
          ...efsRoles(),
          storageClass(rendering.infrastructure.fileSystemId),
          efsNode(rendering),
          efsController(rendering),
          csiDriver(efsDriver, { attachRequired: false }),
        ]
      : [],
}

const storageClass = (fileSystemId: string): Rendered<V1StorageClass> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { annotations: deleteOnInvalidUpdate, name: 'efs-sc' },
  provisioner: efsDriver,
  parameters: { provisioningMode: 'efs-ap', fileSystemId, directoryPerms: '700' },
})
