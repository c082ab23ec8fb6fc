import { driverRoles, leaderRoles } from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { allow } from '../../../../shared/manifests/manifests.ts'
import { roleName } from '../names.ts'

const read = ['get', 'list', 'watch']
const readAndWrite = [...read, 'update', 'patch']
const events = allow('', 'events', ['list', 'watch', 'create', 'update', 'patch'])
const storage = 'storage.k8s.io'
const snapshots = 'snapshot.storage.k8s.io'

/** The permissions in the shoot of each sidecar of the CSI driver and of the snapshot controller. */
const rules = {
  'csi-attacher': [
    allow('', 'persistentvolumes', readAndWrite),
    allow('', 'nodes', readAndWrite),
    allow(storage, 'csinodes', read),
    allow(storage, 'volumeattachments', readAndWrite),
    allow('', 'events', ['create', 'patch', 'update']),
    allow(storage, 'volumeattachments/status', ['patch']),
  ],
  'csi-provisioner': [
    allow('', 'persistentvolumes', [...read, 'create', 'patch', 'delete']),
    allow('', 'persistentvolumeclaims', [...read, 'update']),
    allow(storage, 'storageclasses', read),
    allow('', 'nodes', read),
    allow(storage, 'csinodes', read),
    events,
    allow(snapshots, 'volumesnapshots', ['get', 'list']),
    allow(snapshots, 'volumesnapshotcontents', ['get', 'list']),
    allow(storage, 'volumeattachments', read),
    allow('coordination.k8s.io', 'leases', ['get', 'watch', 'list', 'delete', 'update', 'create']),
  ],
  'csi-resizer': [
    allow('', 'persistentvolumes', readAndWrite),
    allow('', 'persistentvolumeclaims', read),
    allow('', 'persistentvolumeclaims/status', ['update', 'patch']),
    events,
  ],
  'csi-snapshot-controller': [
    allow('', 'persistentvolumes', read),
    allow('', 'persistentvolumeclaims', [...read, 'update']),
    allow(storage, 'storageclasses', read),
    events,
    allow(snapshots, 'volumesnapshotclasses', read),
    allow(snapshots, 'volumesnapshotcontents', ['create', ...read, 'update', 'delete', 'patch']),
    allow(snapshots, 'volumesnapshotcontents/status', ['patch']),
    allow(snapshots, 'volumesnapshots', [...readAndWrite, 'delete']),
    allow(snapshots, 'volumesnapshots/status', ['update', 'patch']),
  ],
  'csi-snapshotter': [
    events,
    allow('', 'secrets', ['get', 'list']),
    allow(snapshots, 'volumesnapshotclasses', read),
    allow(snapshots, 'volumesnapshotcontents', ['create', ...readAndWrite, 'delete']),
    allow(snapshots, 'volumesnapshotcontents/status', ['update', 'patch']),
  ],
}

export const cinderRoles = (): readonly KubernetesObject[] => [
  ...leaderRoles(rules, roleName),
  ...driverRoles(roleName('csi-driver'), 'csi-driver-node'),
]
