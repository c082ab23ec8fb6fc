import type { V1CSIDriver, V1DaemonSet } from '@kubernetes/client-node'
import {
  hostVolume,
  memory,
  nodeDriverMounts,
  nodeDriverVolumes,
  nodeTolerations,
  registrarEnv,
} from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  criticalLabels,
  serviceAccount,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import type { VolumeAnnotations } from '../input/control-plane-values.ts'
import type { Component, Rendering } from '../objects/workload.ts'
import { readOnlyContext, roleName } from '../objects/workload.ts'
import { ebsDriver } from './csi-driver.ts'
import { csiRoles } from './csi-roles.ts'

const name = 'csi-driver-node'
const labels = { app: 'csi', role: 'disk-driver' }

/** Mounts EBS volumes on the nodes. Includes the permissions of the seed's controller in the shoot. */
export const csiDriverNode: Component = {
  shoot: rendering => [
    serviceAccount(systemNamespace, name),
    serviceAccount(systemNamespace, 'csi-volume-modifier'),
    ...csiRoles(),
    ...nodeRoles(),
    daemonSet(rendering),
    csiDriver,
  ],
}

const csiDriver: Rendered<V1CSIDriver> = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: ebsDriver },
  spec: { attachRequired: true, podInfoOnMount: false },
}

const nodeRoles = (): readonly KubernetesObject[] => {
  const role = roleName('csi-driver')
  const readAndWrite = ['get', 'list', 'watch', 'update', 'patch']
  return [
    clusterRole(role, [
      allow('', 'nodes', ['get', 'list', 'update']),
      allow('', 'namespaces', ['get', 'list']),
      allow('', 'persistentvolumes', readAndWrite),
      allow('storage.k8s.io', 'volumeattachments', readAndWrite),
    ]),
    clusterRoleBinding({ name: role, account: name }),
  ]
}

const limitArgs = (volumes: VolumeAnnotations): readonly string[] =>
  Object.entries({
    'volume-attach-limit': volumes.volumeAttachLimit,
    'reserved-volume-attachments': volumes.reservedVolumeAttachments,
    'legacy-xfs': volumes.legacyXfs,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]))

const daemonSet = ({ image, volumes }: Rendering): Rendered<V1DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace: systemNamespace, labels: { ...labels, ...criticalLabels } },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: {
        labels: { ...labels, ...criticalLabels },
        annotations: { 'node.gardener.cloud/wait-for-csi-node-aws': ebsDriver },
      },
      spec: {
        hostNetwork: true,
        priorityClassName: 'system-node-critical',
        serviceAccountName: name,
        tolerations: nodeTolerations,
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
            livenessProbe: {
              httpGet: { path: '/healthz', port: 'healthz' },
              initialDelaySeconds: 10,
              timeoutSeconds: 3,
              periodSeconds: 10,
              failureThreshold: 5,
            },
            volumeMounts: [
              nodeDriverMounts.kubelet,
              nodeDriverMounts.plugin,
              { name: 'device-dir', mountPath: '/dev' },
            ],
          },
          {
            name: 'csi-node-driver-registrar',
            image: image('csi-node-driver-registrar'),
            args: [
              '--csi-address=$(ADDRESS)',
              '--kubelet-registration-path=$(DRIVER_REG_SOCK_PATH)',
              '--v=5',
            ],
            env: registrarEnv(ebsDriver),
            resources: memory('32Mi'),
            securityContext: readOnlyContext,
            volumeMounts: [nodeDriverMounts.plugin, nodeDriverMounts.registration],
          },
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
    },
  },
})
