import {
  type Container,
  type DriverSidecar,
  driverController,
  driverProbe,
  driverSocket,
  memory,
  sidecarContainer,
  sidecarKubeconfigs,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import { podDisruptionBudget } from '../../../../shared/manifests/manifests.ts'
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
        ...sidecars(rendering).map(one =>
          sidecarContainer('openstack', one, { image: rendering.image, securityContext: unprivileged }),
        ),
        probeContainer(rendering, 'openstack-csi-liveness-probe', [], {
          ...driverSocket.mount,
          mountPath: '/csi',
        }),
      ],
      volumes: [
        { name: driverSocket.mount.name, emptyDir: {} },
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
  env: [{ name: 'CSI_ENDPOINT', value: `unix://${driverSocket.folder}/csi.sock` }],
  resources: memory('50Mi'),
  ports: [{ name: 'healthz', containerPort: 9808, protocol: 'TCP' }],
  livenessProbe: driverProbe,
  securityContext: unprivileged,
  volumeMounts: [
    driverSocket.mount,
    { name: cloudConfigName, mountPath: configFolder },
    ...hostCertificates.mounts,
  ],
})

/** In the order of the containers. */
const sidecars = ({
  namespace,
}: OpenStackRendering): readonly DriverSidecar<Extract<OpenStackImage, `csi-${string}`>>[] => [
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
