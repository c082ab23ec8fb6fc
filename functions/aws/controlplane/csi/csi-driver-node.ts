import {
  csiDriver,
  driverProbe,
  driverRoles,
  hostVolume,
  memory,
  nodeDriver,
  nodeDriverMounts,
  nodeDriverVolumes,
  registrar,
} from '../../../../shared/control-plane/components/components.ts'
import { criticalLabels, serviceAccount, systemNamespace } from '../../../../shared/manifests/manifests.ts'
import type { VolumeAnnotations } from '../input/control-plane-values.ts'
import type { Component, Rendering } from '../objects/workload.ts'
import { readOnlyContext, roleName } from '../objects/workload.ts'
import { ebsDriver } from './csi-driver.ts'
import { csiRoles } from './csi-roles.ts'

const name = 'csi-driver-node'

/** Mounts EBS volumes on the nodes. Includes the permissions of the seed's controller in the shoot. */
export const csiDriverNode: Component = {
  shoot: rendering => [
    serviceAccount(systemNamespace, name),
    serviceAccount(systemNamespace, 'csi-volume-modifier'),
    ...csiRoles(),
    ...driverRoles(roleName('csi-driver'), name),
    daemonSet(rendering),
    csiDriver(ebsDriver, { attachRequired: true, podInfoOnMount: false }),
  ],
}

const limitArgs = (volumes: VolumeAnnotations): readonly string[] =>
  Object.entries({
    'volume-attach-limit': volumes.volumeAttachLimit,
    'reserved-volume-attachments': volumes.reservedVolumeAttachments,
    'legacy-xfs': volumes.legacyXfs,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]))

const daemonSet = ({ image, volumes }: Rendering) =>
  nodeDriver(
    name,
    {
      labels: { app: 'csi', role: 'disk-driver' },
      added: criticalLabels,
      annotations: { 'node.gardener.cloud/wait-for-csi-node-aws': ebsDriver },
    },
    {
      serviceAccountName: name,
      securityContext: {
        runAsNonRoot: false,
        runAsUser: 0,
        runAsGroup: 0,
        fsGroup: 0,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'csi-driver',
          image: image('csi-driver'),
          args: [
            'node',
            '--endpoint=$(CSI_ENDPOINT)',
            ...limitArgs(volumes),
            '--logtostderr',
            '--v=3',
            '--vmodule=node_*=4,mount*=4,driver=4,controller=4',
          ],
          env: [{ name: 'CSI_ENDPOINT', value: 'unix:/csi/csi.sock' }],
          resources: memory('42Mi'),
          securityContext: { readOnlyRootFilesystem: true, privileged: true },
          ports: [{ name: 'healthz', containerPort: 9808, protocol: 'TCP' }],
          livenessProbe: driverProbe,
          volumeMounts: [
            nodeDriverMounts.kubelet,
            nodeDriverMounts.plugin,
            { name: 'device-dir', mountPath: '/dev' },
          ],
        },
        registrar(ebsDriver, {
          image: image('csi-node-driver-registrar'),
          securityContext: readOnlyContext,
        }),
        {
          name: 'csi-liveness-probe',
          image: image('csi-liveness-probe'),
          args: ['--csi-address=/csi/csi.sock'],
          resources: memory('32Mi'),
          volumeMounts: [nodeDriverMounts.plugin],
          securityContext: readOnlyContext,
        },
      ],
      volumes: [...nodeDriverVolumes(ebsDriver), hostVolume('device-dir', '/dev')],
    },
  )
