import {
  type Container,
  driverController,
  driverProbe,
  memory,
  sidecarKubeconfigs,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import { podDisruptionBudget } from '../../../../shared/manifests/manifests.ts'
import { kubeconfigMount, kubeconfigPath } from '../../../../shared/shoot/shoot.ts'
import type { OpenStackImage } from '../images/image-table.ts'
import { cloudConfigName, configFile, configFolder, diskConfigName } from '../names.ts'
import {
  apiLimits,
  driverTraits,
  hostCertificates,
  leaderNamespace,
  type OpenStackComponent,
  type OpenStackRendering,
  probeContainer,
  unprivileged,
  userAgentFlags,
} from '../rendering.ts'

const name = 'csi-driver-controller'
const labels = { app: 'csi', role: 'controller' }
const socketFolder = '/var/lib/csi/sockets/pluginproxy'
const socketMount = { name: 'socket-dir', mountPath: socketFolder }

/** Creates, attaches, resizes and snapshots volumes of Cinder. */
export const cinderController: OpenStackComponent = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, name, labels),
    driverController({
      ...driverTraits(rendering),
      name,
      labels,
      containers: [
        driver(rendering),
        ...sidecars(rendering).map(one => sidecarContainer(rendering, one)),
        probeContainer(rendering, 'openstack-csi-liveness-probe', [], { ...socketMount, mountPath: '/csi' }),
      ],
      volumes: [
        { name: socketMount.name, emptyDir: {} },
        ...sidecarKubeconfigs(rendering.genericKubeconfig, [
          'csi-attacher',
          'csi-provisioner',
          'csi-snapshotter',
          'csi-resizer',
        ]),
        hostCertificates.share,
        { name: cloudConfigName, secret: { secretName: diskConfigName } },
        hostCertificates.etc,
      ],
    }),
    verticalPodAutoscaler(
      rendering.namespace,
      name,
      ['driver', 'provisioner', 'attacher', 'snapshotter', 'resizer', 'liveness-probe'].map(
        container => `openstack-csi-${container}`,
      ),
    ),
  ],
}

const driver = (rendering: OpenStackRendering): Container => ({
  name: 'openstack-csi-driver',
  image: rendering.image('csi-driver-cinder'),
  imagePullPolicy: 'IfNotPresent',
  args: [
    '/bin/cinder-csi-plugin',
    '--endpoint=$(CSI_ENDPOINT)',
    `--cloud-config=${configFolder}/${configFile}`,
    `--cluster=${rendering.namespace}`,
    ...userAgentFlags(rendering),
    '--v=3',
    '--provide-node-service=false',
    ...apiLimits,
  ],
  env: [{ name: 'CSI_ENDPOINT', value: `unix://${socketFolder}/csi.sock` }],
  resources: memory('50Mi'),
  ports: [{ name: 'healthz', containerPort: 9808, protocol: 'TCP' }],
  livenessProbe: driverProbe,
  securityContext: unprivileged,
  volumeMounts: [socketMount, { name: cloudConfigName, mountPath: configFolder }, ...hostCertificates.mounts],
})

interface CinderSidecar {
  /** The name of the image and of the shoot access secret. */
  readonly name: Extract<OpenStackImage, `csi-${string}`>
  readonly request: string
  /** The variable with the path of the socket. */
  readonly variable?: 'CSI_ENDPOINT'
  readonly args: readonly string[]
}

/** In the order of the containers. */
const sidecars = ({ namespace }: OpenStackRendering): readonly CinderSidecar[] => [
  {
    name: 'csi-provisioner',
    request: '38Mi',
    args: [
      '--feature-gates=Topology=true',
      `--volume-name-prefix=pv-${namespace}`,
      '--default-fstype=ext4',
      '--leader-election',
      leaderNamespace,
      '--timeout=3m',
      '--v=5',
      ...apiLimits,
      '--strict-topology',
    ],
  },
  {
    name: 'csi-attacher',
    request: '36Mi',
    args: ['--leader-election', leaderNamespace, '--timeout=3m', '--v=5', '--max-entries=1000', ...apiLimits],
  },
  {
    name: 'csi-snapshotter',
    request: '36Mi',
    variable: 'CSI_ENDPOINT',
    args: [
      '--leader-election',
      leaderNamespace,
      '--timeout=3m',
      `--snapshot-name-prefix=${namespace}`,
      ...apiLimits,
    ],
  },
  {
    name: 'csi-resizer',
    request: '32Mi',
    args: [
      '--leader-election=true',
      leaderNamespace,
      '--timeout=3m',
      '--handle-volume-inuse-error=false',
      '--v=5',
      ...apiLimits,
    ],
  },
]

/** A container beside the driver. It watches the shoot and calls the driver over its socket. */
const sidecarContainer = (
  { image }: OpenStackRendering,
  { name: sidecar, request, variable, args }: CinderSidecar,
): Container => ({
  name: `openstack-${sidecar}`,
  image: image(sidecar),
  imagePullPolicy: 'IfNotPresent',
  args: [`--csi-address=$(${variable ?? 'ADDRESS'})`, `--kubeconfig=${kubeconfigPath}`, ...args],
  env: [{ name: variable ?? 'ADDRESS', value: `${socketFolder}/csi.sock` }],
  resources: memory(request),
  securityContext: unprivileged,
  volumeMounts: [socketMount, kubeconfigMount(`kubeconfig-${sidecar}`)],
})
