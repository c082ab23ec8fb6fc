import type { V1EnvVar } from '@kubernetes/client-node'
import { type Container, memory } from '../../../../shared/control-plane/components/components.ts'
import type { Json } from '../../../../shared/kubernetes/kubernetes.ts'
import { kubeconfigMount, kubeconfigPath } from '../../../../shared/shoot/shoot.ts'
import type { ImageName } from '../images/image-table.ts'
import { type ControlPlaneValues, needsAttributesGate } from '../input/control-plane-values.ts'

import type { Rendering } from '../objects/workload.ts'
import { readOnlyContext } from '../objects/workload.ts'

export const socketFolder = '/var/lib/csi/sockets/pluginproxy'
export const socketMount = { name: 'socket-dir', mountPath: socketFolder }
const socket = `${socketFolder}/csi.sock`

const leader = ['--leader-election-namespace=kube-system']
/** The limits for requests to the shoot's API server and for parallel work. */
const limits = (workers: 'worker-threads' | 'workers') => [
  '--kube-api-qps=100',
  '--kube-api-burst=200',
  `--${workers}=100`,
]

interface Sidecar {
  /** The name of the shoot access secret. With the prefix `aws-`, the name of the container. */
  readonly name:
    | 'csi-provisioner'
    | 'csi-attacher'
    | 'csi-snapshotter'
    | 'csi-resizer'
    | 'csi-volume-modifier'
  readonly request: string
  /** The variable with the path of the socket. */
  readonly socketVariable?: 'CSI_ENDPOINT'
  readonly env?: readonly Json<V1EnvVar>[]
  /** Arguments after the kubeconfig and before the address of the socket. */
  readonly first?: readonly string[]
  readonly args: (values: ControlPlaneValues) => readonly string[]
}

/** The gate is required before 1.34, and harmless in versions that no longer know it. */
const attributesGate = (values: ControlPlaneValues): readonly string[] =>
  needsAttributesGate(values) ? ['--feature-gates=VolumeAttributesClass=true'] : []

/** In the order of the containers. */
export const sidecars: readonly Sidecar[] = [
  {
    name: 'csi-volume-modifier',
    request: '50Mi',
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_NAMESPACE', value: 'kube-system' },
    ],
    first: ['--v=2'],
    args: () => ['--leader-election', ...leader],
  },
  {
    name: 'csi-provisioner',
    request: '38Mi',
    args: values => [
      `--volume-name-prefix=pv-${values.namespace}`,
      '--extra-create-metadata=true',
      '--default-fstype=ext4',
      '--leader-election=true',
      ...leader,
      ...limits('worker-threads'),
      '--retry-interval-max=10m',
      '--strict-topology',
      '--v=5',
      ...attributesGate(values),
    ],
  },
  {
    name: 'csi-attacher',
    request: '36Mi',
    args: () => [
      '--leader-election',
      ...leader,
      '--v=5',
      '--timeout=60s',
      '--retry-interval-max=3m',
      ...limits('worker-threads'),
    ],
  },
  {
    name: 'csi-snapshotter',
    request: '36Mi',
    socketVariable: 'CSI_ENDPOINT',
    args: ({ namespace }) => [
      '--leader-election',
      ...leader,
      `--snapshot-name-prefix=${namespace}`,
      '--extra-create-metadata',
      ...limits('worker-threads'),
      '--retry-interval-max=30m',
    ],
  },
  {
    name: 'csi-resizer',
    request: '32Mi',
    args: values => [
      '--leader-election=true',
      ...leader,
      '--handle-volume-inuse-error=false',
      '--v=5',
      '--extra-modify-metadata',
      '--timeout=60s',
      ...limits('workers'),
      '--retry-interval-max=10m',
      ...attributesGate(values),
    ],
  },
]

/** A container beside the driver. It watches the shoot and calls the driver over its socket. */
export const sidecarContainer = (
  rendering: Rendering,
  { name, request, socketVariable, env = [], first = [], args }: Sidecar,
): Container => {
  const variable = socketVariable ?? 'ADDRESS'
  const image: ImageName = name
  return {
    name: `aws-${name}`,
    image: rendering.image(image),
    imagePullPolicy: 'IfNotPresent',
    args: [...first, `--csi-address=$(${variable})`, `--kubeconfig=${kubeconfigPath}`, ...args(rendering)],
    env: [{ name: variable, value: socket }, ...env],
    resources: memory(request),
    securityContext: readOnlyContext,
    volumeMounts: [socketMount, kubeconfigMount(`kubeconfig-${name}`)],
  }
}
