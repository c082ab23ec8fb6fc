import type { V1StorageClass } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { deleteOnInvalidUpdate } from '../../../../shared/manifests/manifests.ts'
import type { CloudProfileConfig } from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { cinderDriver } from '../names.ts'

type ClassOfProfile = CloudProfileConfig['storageClasses'][number]

/** `VolumeSnapshotClass` of `snapshot.storage.k8s.io/v1`. */
export interface CloudSnapshotClass extends KubernetesObject {
  readonly driver: string
  readonly deletionPolicy: 'Delete'
  readonly parameters?: Readonly<Record<string, string>>
}

const waits = { volumeBindingMode: 'WaitForFirstConsumer' }
const standard: readonly ClassOfProfile[] = [
  { name: 'default', default: true, ...waits },
  { name: 'default-class', ...waits },
]

/** The classes for volumes of a shoot: those of the CloudProfile, else two standard ones. */
export const storageClasses = ({
  storageClasses: ofProfile,
}: Pick<CloudProfileConfig, 'storageClasses'>): readonly KubernetesObject[] => [
  ...(ofProfile.length === 0 ? standard : ofProfile).map(storageClass),
  snapshotClass,
]

const storageClass = (config: ClassOfProfile): Rendered<V1StorageClass> => {
  const { name, labels, parameters, provisioner, reclaimPolicy, volumeBindingMode } = config
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name,
      annotations: {
        ...deleteOnInvalidUpdate,
        'storageclass.kubernetes.io/is-default-class': String(config.default === true),
        ...config.annotations,
      },
      ...(labels && { labels }),
    },
    ...(parameters && { parameters }),
    allowVolumeExpansion: true,
    provisioner: provisioner || cinderDriver,
    ...(reclaimPolicy && { reclaimPolicy }),
    ...(volumeBindingMode && { volumeBindingMode }),
  }
}

const snapshotClass: CloudSnapshotClass = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: {
    name: 'csi-cinder',
    annotations: { ...deleteOnInvalidUpdate, 'snapshot.storage.kubernetes.io/is-default-class': 'true' },
  },
  driver: cinderDriver,
  deletionPolicy: 'Delete',
}
