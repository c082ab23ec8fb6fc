import { createHash } from 'node:crypto'
import {
  type Container,
  csiDriver,
  driverProbe,
  hostVolume,
  memory,
  nodeDriver,
  nodeDriverMounts,
  nodeDriverVolumes,
  registrar,
} from '../../../../shared/control-plane/components/components.ts'
import {
  criticalLabels,
  serviceAccount,
  systemNamespace,
  waitForCsiNode,
} from '../../../../shared/manifests/manifests.ts'
import { nodeConfig } from '../config/cloud-configs.ts'
import { cinderDriver, cloudConfigName, configFile, configFolder } from '../names.ts'
import {
  nodeNameVariable,
  type OpenStackComponent,
  type OpenStackRendering,
  privileged,
  probeContainer,
  unprivileged,
  userAgentFlags,
} from '../rendering.ts'
import { cinderRoles } from './cinder-roles.ts'

const name = 'csi-driver-node'

/** Mounts volumes of Cinder on the nodes. Includes the permissions of the seed's controller in the shoot. */
export const cinderNode: OpenStackComponent = {
  shoot: rendering => [
    serviceAccount(systemNamespace, name),
    nodeConfig(rendering),
    ...cinderRoles(),
    daemonSet(rendering),
    csiDriver(cinderDriver, {
      attachRequired: true,
      podInfoOnMount: true,
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    }),
  ],
}

/**
 * Restarts the pods when their configuration changes. The Go extension takes the checksum of the Secret's YAML. Another
 * text would restart the driver on all nodes of a shoot that is taken over.
 */
const configChecksum = (rendering: OpenStackRendering): string => {
  const { metadata, data } = nodeConfig(rendering)
  const yaml = [
    '---',
    'apiVersion: v1',
    'kind: Secret',
    'metadata:',
    `  name: ${metadata.name}`,
    `  namespace: ${metadata.namespace}`,
    'type: Opaque',
    'data:',
    `  ${configFile}: ${data[configFile]}`,
    '',
  ]
  return createHash('sha256').update(yaml.join('\n')).digest('hex')
}

const daemonSet = (rendering: OpenStackRendering) =>
  nodeDriver(
    name,
    {
      labels: { app: 'csi', role: 'disk-driver' },
      added: criticalLabels,
      annotations: {
        [`checksum/secret-${cloudConfigName}`]: configChecksum(rendering),
        ...waitForCsiNode('openstack', cinderDriver),
      },
    },
    {
      serviceAccount: name,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        driver(rendering),
        registrar(cinderDriver, {
          image: rendering.image('csi-node-driver-registrar'),
          securityContext: unprivileged,
        }),
        probeContainer(rendering, 'csi-liveness-probe', [], nodeDriverMounts.plugin),
      ],
      volumes: [
        ...nodeDriverVolumes(cinderDriver),
        hostVolume('device-dir', '/dev'),
        { name: cloudConfigName, secret: { secretName: cloudConfigName } },
      ],
    },
  )

const driver = (rendering: OpenStackRendering): Container => ({
  name: 'csi-driver',
  image: rendering.image('csi-driver-cinder'),
  args: [
    '/bin/cinder-csi-plugin',
    '--endpoint=$(CSI_ENDPOINT)',
    '--nodeid=$(NODE_ID)',
    `--cloud-config=${configFolder}/${configFile}`,
    ...userAgentFlags(rendering),
    '--v=2',
    '--vmodule=mount*=4,nodeserver=3,utils=2,driver=4,openstack=4,client=4,server=4,controllerserver=4',
    '--node-service-no-os-client=true',
    '--provide-controller-service=false',
  ],
  env: [{ name: 'CSI_ENDPOINT', value: 'unix:///csi/csi.sock' }, nodeNameVariable('NODE_ID')],
  resources: memory('42Mi'),
  securityContext: privileged,
  ports: [{ name: 'healthz', containerPort: 9808, protocol: 'TCP' }],
  livenessProbe: driverProbe,
  volumeMounts: [
    nodeDriverMounts.kubelet,
    nodeDriverMounts.plugin,
    { name: 'device-dir', mountPath: '/dev', mountPropagation: 'HostToContainer' },
    { name: cloudConfigName, mountPath: configFolder, readOnly: true },
  ],
})
