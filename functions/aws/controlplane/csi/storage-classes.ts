import type { V1StorageClass } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { deleteOnInvalidUpdate } from '../../../../shared/manifests/manifests.ts'

import { ebsDriver } from './csi-driver.ts'

/** `VolumeSnapshotClass` of `snapshot.storage.k8s.io/v1`. */
interface VolumeSnapshotClass extends KubernetesObject {
  readonly driver: string
  readonly deletionPolicy: 'Delete' | 'Retain'
}

/** The default classes of a shoot. With `isDefault`, they apply to claims without a class. */
export const storageClasses = ({
  isDefault,
}: {
  readonly isDefault: boolean
}): readonly KubernetesObject[] => [storageClass(isDefault), snapshotClass(isDefault)]

const storageClass = (isDefault: boolean): Rendered<V1StorageClass> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: 'default',
    annotations: {
      ...deleteOnInvalidUpdate,
      ...(isDefault && { 'storageclass.kubernetes.io/is-default-class': 'true' }),
    },
  },
  allowVolumeExpansion: true,
  parameters: { encrypted: 'true' },
  provisioner: ebsDriver,
  volumeBindingMode: 'WaitForFirstConsumer',
})

const snapshotClass = (isDefault: boolean): VolumeSnapshotClass => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: {
    name: 'default',
    ...(isDefault && { annotations: { 'snapshot.storage.kubernetes.io/is-default-class': 'true' } }),
  },
  driver: ebsDriver,
  deletionPolicy: 'Delete',
})
