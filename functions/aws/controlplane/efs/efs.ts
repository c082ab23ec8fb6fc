import type { V1StorageClass } from '@kubernetes/client-node'
import { csiDriver } from '../../../../shared/control-plane/components/components.ts'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { deleteOnInvalidUpdate } from '../../../../shared/manifests/manifests.ts'
import type { Component } from '../objects/workload.ts'

import { efsController } from './controller.ts'
import { efsDriver } from './names.ts'
import { efsNode } from './node.ts'
import { efsRoles } from './roles.ts'

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
