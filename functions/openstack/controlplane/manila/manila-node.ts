import {
  type Container,
  csiDriver,
  hostVolume,
  memory,
  nodeDriver,
} from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  serviceAccount,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import { manilaDriver, roleName } from '../names.ts'
import {
  nodeNameVariable,
  type OpenStackRendering,
  privileged,
  probeContainer,
  unprivileged,
} from '../rendering.ts'
import {
  authorityVolumes,
  forwardVolume,
  manilaEnv,
  manilaMounts,
  manilaProbe,
  nfsArgs,
  nfsEnv,
  nfsMount,
  pluginMount,
} from './manila-parts.ts'

const name = 'csi-driver-manila-node'
const kubeletFolder = '/var/lib/kubelet'
const pluginFolder = `${kubeletFolder}/plugins/${manilaDriver}`

/** The ports of the host at which the two drivers report their health. */
const manilaPort = 24913
const nfsPort = 24914

/** The objects that mount shares on the nodes. */
export const manilaNode = (rendering: OpenStackRendering): readonly KubernetesObject[] => [
  serviceAccount(systemNamespace, name),
  clusterRole(roleName(name), [
    allow('', 'configmaps', ['get', 'list']),
    allow('', 'nodes', ['get', 'list', 'update']),
    allow('', 'namespaces', ['get', 'list']),
    allow('', 'persistentvolumes', ['get', 'list', 'watch', 'update']),
  ]),
  clusterRoleBinding({ name: roleName(name), account: name }),
  daemonSet(rendering),
  csiDriver(manilaDriver, { attachRequired: false, podInfoOnMount: false, fsGroupPolicy: 'None' }),
]

const daemonSet = (rendering: OpenStackRendering) =>
  nodeDriver(
    name,
    { labels: { app: 'csi', role: 'driver-manila-node' } },
    {
      dnsPolicy: 'ClusterFirstWithHostNet',
      serviceAccount: name,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        manilaDriverOf(rendering),
        nfsDriverOf(rendering),
        registrar(rendering),
        probeContainer(rendering, 'nfs-manila-liveness-probe', [`--health-port=${manilaPort}`], pluginMount),
        probeContainer(rendering, 'nfs-nfs-liveness-probe', [`--health-port=${nfsPort}`], pluginMount),
      ],
      volumes: [
        hostVolume('registration-dir', `${kubeletFolder}/plugins_registry`),
        hostVolume(pluginMount.name, pluginFolder, 'DirectoryOrCreate'),
        { name: forwardVolume, emptyDir: {} },
        ...authorityVolumes(rendering, 'shoot'),
        hostVolume('pods-mount-dir', `${kubeletFolder}/pods`),
      ],
    },
  )

/** The metadata service of OpenStack knows the zone of the node. */
const zoneOfNode = '$(curl http://169.254.169.254/openstack/latest/meta_data.json | jq -r .availability_zone)'

const manilaDriverOf = (rendering: OpenStackRendering): Container => ({
  name: 'driver-manila-nfs-node',
  securityContext: privileged,
  image: rendering.image('csi-driver-manila'),
  command: [
    '/bin/sh',
    '-c',
    [
      '/bin/manila-csi-plugin',
      '--nodeid=$(NODE_ID)',
      '--with-topology',
      `--nodeaz=${zoneOfNode}`,
      '--endpoint=/csi/csi.sock',
      '--drivername=$(DRIVER_NAME)',
      '--share-protocol-selector=$(MANILA_SHARE_PROTO)',
      '--fwdendpoint=/csi-fwd/csi.sock',
      `--cluster-id=${rendering.namespace}`,
      '--v=2',
    ].join(' '),
  ],
  env: manilaEnv,
  ports: [{ containerPort: manilaPort, name: 'healthz', protocol: 'TCP' }],
  livenessProbe: manilaProbe,
  volumeMounts: manilaMounts(rendering, { readOnly: true }),
  resources: memory('42Mi'),
})

const nfsDriverOf = ({ image }: OpenStackRendering): Container => ({
  name: 'driver-nfs-nfs-node',
  securityContext: privileged,
  image: image('csi-driver-nfs'),
  args: [...nfsArgs(2), '--mount-permissions=511'],
  env: nfsEnv,
  ports: [{ containerPort: nfsPort, name: 'healthz', protocol: 'TCP' }],
  livenessProbe: manilaProbe,
  resources: memory('42Mi'),
  volumeMounts: [
    nfsMount,
    { name: 'pods-mount-dir', mountPath: `${kubeletFolder}/pods`, mountPropagation: 'Bidirectional' },
  ],
})

const registrar = ({ image }: OpenStackRendering): Container => ({
  name: 'nfs-registrar',
  image: image('csi-node-driver-registrar'),
  args: ['--csi-address=/csi/csi.sock', '--kubelet-registration-path=$(DRIVER_REG_SOCK_PATH)', '-v=5'],
  env: [
    { name: 'DRIVER_REG_SOCK_PATH', value: `${pluginFolder}/csi.sock` },
    nodeNameVariable('KUBE_NODE_NAME'),
  ],
  resources: memory('32Mi'),
  securityContext: unprivileged,
  volumeMounts: [pluginMount, { name: 'registration-dir', mountPath: '/registration' }],
})
