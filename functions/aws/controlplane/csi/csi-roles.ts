import { leaderRoles } from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { allow } from '../../../../shared/manifests/manifests.ts'
import { roleName } from '../objects/workload.ts'

const read = ['get', 'list', 'watch']
const readAndWrite = [...read, 'update', 'patch']
const events = allow('', 'events', ['list', 'watch', 'create', 'update', 'patch'])
const writeEvents = allow('', 'events', ['create', 'patch', 'update'])

const storage = 'storage.k8s.io'
const snapshots = 'snapshot.storage.k8s.io'
const groupSnapshots = 'groupsnapshot.storage.k8s.io'

/** The permissions in the shoot of each sidecar of the CSI driver and of the snapshot controller. */
const rules = {
  'csi-attacher': [
    allow('', 'persistentvolumes', readAndWrite),
    allow('', 'nodes', readAndWrite),
    allow(storage, 'csinodes', read),
    allow(storage, 'volumeattachments', readAndWrite),
    allow(storage, 'volumeattachments/status', ['patch']),
    writeEvents,
  ],
  'csi-provisioner': [
    allow('', 'persistentvolumes', [...read, 'create', 'patch', 'delete']),
    allow('', 'persistentvolumeclaims', [...read, 'update']),
    allow(storage, 'storageclasses', read),
    events,
    allow(snapshots, 'volumesnapshots', [...read, 'update']),
    allow(snapshots, 'volumesnapshotcontents', ['get', 'list']),
    allow(storage, 'csinodes', read),
    allow('', 'nodes', read),
    allow(storage, 'volumeattachments', read),
    allow(storage, 'volumeattributesclasses', ['get']),
  ],
  'csi-resizer': [
    allow('', 'persistentvolumes', readAndWrite),
    allow('', 'persistentvolumeclaims', read),
    allow('', 'persistentvolumeclaims/status', ['update', 'patch']),
    events,
    allow(storage, 'volumeattributesclasses', read),
  ],
  'csi-snapshotter': [
    events,
    allow(snapshots, 'volumesnapshotclasses', read),
    allow(snapshots, 'volumesnapshots', [...readAndWrite, 'create']),
    allow(snapshots, 'volumesnapshotcontents', [...readAndWrite, 'create']),
    allow(snapshots, 'volumesnapshotcontents/status', ['update', 'patch']),
    allow(groupSnapshots, 'volumegroupsnapshotclasses', read),
    allow(groupSnapshots, 'volumegroupsnapshotcontents', readAndWrite),
    allow(groupSnapshots, 'volumegroupsnapshotcontents/status', ['update', 'patch']),
  ],
  'csi-volume-modifier': [
    allow('', 'persistentvolumes', [...read, 'patch']),
    allow('', 'persistentvolumeclaims', read),
    writeEvents,
  ],
  'csi-snapshot-controller': [
    allow('', 'persistentvolumes', read),
    allow('', 'persistentvolumeclaims', [...read, 'update']),
    events,
    allow(snapshots, 'volumesnapshotclasses', read),
    allow(snapshots, 'volumesnapshotcontents', ['create', ...read, 'update', 'delete', 'patch']),
    allow(snapshots, 'volumesnapshotcontents/status', ['patch']),
    allow(snapshots, 'volumesnapshots', [...readAndWrite, 'delete']),
    allow(snapshots, 'volumesnapshots/status', ['update', 'patch']),
  ],
}

/** Each of them elects a leader. */
export const csiRoles = (): readonly KubernetesObject[] => leaderRoles(rules, roleName)
