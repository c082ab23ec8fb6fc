import { snapshotController } from '../../../../shared/control-plane/components/components.ts'
import type { Component } from '../objects/workload.ts'

/** Binds VolumeSnapshots to their contents. */
export const csiSnapshotController: Component = {
  seed: ({ namespace, replicas, image, genericKubeconfig }) =>
    snapshotController({
      namespace,
      replicas,
      genericKubeconfig,
      image: image('csi-snapshot-controller'),
      container: 'aws-csi-snapshot-controller',
      securityContext: { allowPrivilegeEscalation: false },
    }),
}
