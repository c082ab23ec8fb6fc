import {
  type Container,
  memory,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { kubeconfigMount, kubeconfigPath } from '../../../../shared/shoot/shoot.ts'
import { driverController, sidecarKubeconfigs } from '../driver-controller.ts'
import {
  apiLimits,
  leaderNamespace,
  type OpenStackRendering,
  probeContainer,
  unprivileged,
  userAgentFlags,
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

const name = 'csi-driver-manila-controller'

const containers = ['driver', 'nfs-driver', 'provisioner', 'snapshotter', 'resizer', 'liveness-probe']

/** The objects in the seed: creates, resizes and snapshots shares. */
export const manilaController = (rendering: OpenStackRendering): readonly KubernetesObject[] => [
  driverController(rendering, {
    name,
    labels: { app: 'csi', role: 'driver-manila-controller' },
    containers: [
      driver(rendering),
      nfsDriver(rendering),
      probeContainer(
        rendering,
        'openstack-csi-manila-liveness-probe',
        ['--probe-timeout=3s', '--health-port=9808', '--v=2'],
        nfsMount,
      ),
      ...sidecars(rendering),
    ],
    volumes: [
      { name: pluginMount.name, emptyDir: {} },
      { name: forwardVolume, emptyDir: {} },
      ...authorityVolumes(rendering, 'seed'),
      ...sidecarKubeconfigs(rendering, ['csi-provisioner', 'csi-snapshotter', 'csi-resizer']),
    ],
  }),
  verticalPodAutoscaler(
    rendering.namespace,
    name,
    containers.map(container => `openstack-csi-manila-${container}`),
    { name },
  ),
]

const driver = (rendering: OpenStackRendering): Container => ({
  name: 'openstack-csi-manila-driver',
  image: rendering.image('csi-driver-manila'),
  args: [
    '/bin/manila-csi-plugin',
    '--nodeid=$(NODE_ID)',
    '--endpoint=/csi/csi.sock',
    '--drivername=$(DRIVER_NAME)',
    '--v=5',
    '--share-protocol-selector=$(MANILA_SHARE_PROTO)',
    '--fwdendpoint=/csi-fwd/csi.sock',
    `--cluster-id=${rendering.namespace}`,
    '--with-topology',
    ...userAgentFlags(rendering),
    ...apiLimits,
  ],
  env: manilaEnv,
  resources: memory('50Mi'),
  securityContext: unprivileged,
  volumeMounts: manilaMounts(rendering),
})

const nfsDriver = ({ image }: OpenStackRendering): Container => ({
  name: 'openstack-csi-manila-nfs-driver',
  image: image('csi-driver-nfs'),
  args: nfsArgs(5),
  env: nfsEnv,
  ports: [{ containerPort: 9808, name: 'healthz', protocol: 'TCP' }],
  securityContext: unprivileged,
  livenessProbe: manilaProbe,
  resources: memory('50Mi'),
  volumeMounts: [nfsMount],
})

/** The containers beside the drivers, which watch the shoot. */
const sidecars = ({ namespace, image }: OpenStackRendering): readonly Container[] => {
  const sidecar = (
    kind: 'provisioner' | 'snapshotter' | 'resizer',
    request: string,
    args: readonly string[],
  ): Container => ({
    name: `openstack-csi-manila-${kind}`,
    image: image(`csi-${kind}`),
    args: [`--kubeconfig=${kubeconfigPath}`, '--csi-address=/csi/csi.sock', ...args],
    resources: memory(request),
    securityContext: unprivileged,
    volumeMounts: [pluginMount, kubeconfigMount(`kubeconfig-csi-${kind}`)],
  })
  return [
    sidecar('provisioner', '38Mi', [
      '--feature-gates=Topology=true',
      `--volume-name-prefix=pv-${namespace}`,
      '--leader-election',
      leaderNamespace,
      '--timeout=3m',
      ...apiLimits,
      '--v=5',
    ]),
    sidecar('snapshotter', '36Mi', [
      '--leader-election',
      leaderNamespace,
      '--timeout=3m',
      `--snapshot-name-prefix=${namespace}`,
      ...apiLimits,
    ]),
    sidecar('resizer', '32Mi', [
      '--leader-election=true',
      leaderNamespace,
      '--timeout=3m',
      '--handle-volume-inuse-error=false',
      '--v=3',
      ...apiLimits,
    ]),
  ]
}
