import {
  type Container,
  driverProbe,
  hostVolume,
  memory,
  nodeDriver,
  nodeDriverMounts,
  nodeDriverVolumes,
  registrar,
} from '../../../../shared/control-plane/components/components.ts'
import { criticalLabels } from '../../../../shared/manifests/manifests.ts'
import type { Rendering } from '../objects/workload.ts'
import { readOnlyContext } from '../objects/workload.ts'
import { efsDriver, efsNodeAccount, efsNodeName } from './names.ts'

const healthPort = 9809
const driver = 'driver-efs-node'
const nodeName = { valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }

/** Mounts file systems on the nodes. */
export const efsNode = ({ image }: Rendering) =>
  nodeDriver(
    efsNodeName,
    { labels: { app: 'csi', role: 'driver-efs-node', ...criticalLabels } },
    {
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: efsNodeAccount,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        driverContainer(image('csi-driver-efs')),
        registrarContainer(image('csi-node-driver-registrar')),
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
  )

const registrarContainer = (image: string): Container => {
  const { env = [], ...usual } = registrar(efsDriver, { image, securityContext: readOnlyContext })
  return {
    ...usual,
    name: 'csi-driver-registrar',
    env: [...env, { name: 'KUBE_NODE_NAME', ...nodeName }],
    resources: memory('32Mi', '1Gi'),
  }
}

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
  livenessProbe: { ...driverProbe, periodSeconds: 2 },
  resources: memory('42Mi', '2Gi'),
})
