import type { V1DaemonSet } from '@kubernetes/client-node'
import {
  type Container,
  hostVolume,
  memory,
  nodeDriverMounts,
  nodeDriverVolumes,
  nodeTolerations,
  registrarEnv,
} from '../../../../shared/control-plane/components/components.ts'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { criticalLabels, systemNamespace } from '../../../../shared/manifests/manifests.ts'
import type { Rendering } from '../objects/workload.ts'
import { readOnlyContext } from '../objects/workload.ts'
import { efsDriver, efsNodeAccount, efsNodeName } from './names.ts'

const labels = { app: 'csi', role: 'driver-efs-node', ...criticalLabels }
const healthPort = 9809
const driver = 'driver-efs-node'
const nodeName = { valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }

/** Mounts file systems on the nodes. */
export const efsNode = ({ image }: Rendering): Rendered<V1DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: efsNodeName, namespace: systemNamespace, labels },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        priorityClassName: 'system-node-critical',
        hostNetwork: true,
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: efsNodeAccount,
        tolerations: nodeTolerations,
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          driverContainer(image('csi-driver-efs')),
          {
            name: 'csi-driver-registrar',
            image: image('csi-node-driver-registrar'),
            args: [
              '--csi-address=$(ADDRESS)',
              '--kubelet-registration-path=$(DRIVER_REG_SOCK_PATH)',
              '--v=5',
            ],
            env: [...registrarEnv(efsDriver), { name: 'KUBE_NODE_NAME', ...nodeName }],
            volumeMounts: [nodeDriverMounts.plugin, nodeDriverMounts.registration],
            resources: memory('32Mi', '1Gi'),
            securityContext: readOnlyContext,
          },
          {
            name: 'liveness-probe',
            image: image('csi-liveness-probe'),
            args: ['--csi-address=/csi/csi.sock', `--health-port=${healthPort}`, '--v=5'],
            volumeMounts: [nodeDriverMounts.plugin],
            resources: memory('32Mi', '200Mi'),
            securityContext: readOnlyContext,
          },
        ],
        volumes: [
          ...nodeDriverVolumes(efsDriver),
          hostVolume('efs-state-dir', '/var/run/efs', 'DirectoryOrCreate'),
        ],
      },
    },
  },
})

const driverContainer = (image: string): Container => ({
  name: driver,
  securityContext: {
    privileged: true,
    capabilities: { add: ['SYS_ADMIN'] },
    allowPrivilegeEscalation: true,
  },
  image,
  args: [
    '--endpoint=$(CSI_ENDPOINT)',
    '--logtostderr',
    '--v=5',
    '--vol-metrics-opt-in=false',
    '--vol-metrics-refresh-period=240',
    '--vol-metrics-fs-rate-limit=5',
  ],
  env: [
    { name: 'CSI_ENDPOINT', value: 'unix:/csi/csi.sock' },
    { name: 'CSI_NODE_NAME', ...nodeName },
    {
      name: 'CSI_NODE_MEMORY_LIMIT',
      valueFrom: { resourceFieldRef: { containerName: driver, resource: 'limits.memory' } },
    },
    { name: 'PORT_RANGE_UPPER_BOUND', value: '21049' },
  ],
  volumeMounts: [
    nodeDriverMounts.kubelet,
    nodeDriverMounts.plugin,
    { name: 'efs-state-dir', mountPath: '/var/run/efs' },
  ],
  ports: [{ name: 'healthz', containerPort: healthPort, protocol: 'TCP' }],
  livenessProbe: {
    httpGet: { path: '/healthz', port: 'healthz' },
    initialDelaySeconds: 10,
    timeoutSeconds: 3,
    periodSeconds: 2,
    failureThreshold: 5,
  },
  resources: memory('42Mi', '2Gi'),
})
