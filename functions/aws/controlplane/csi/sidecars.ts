import type { DriverSidecar } from '../../../../shared/control-plane/components/components.ts'
import type { ImageName } from '../images/image-table.ts'
import { type ControlPlaneValues, needsAttributesGate } from '../input/control-plane-values.ts'

const leader = ['--leader-election-namespace=kube-system']
/** The limits for requests to the shoot's API server and for parallel work. */
const limits = (workers: 'worker-threads' | 'workers') => [
  '--kube-api-qps=100',
  '--kube-api-burst=200',
  `--${workers}=100`,
]

/** The gate is required before 1.34, and harmless in versions that no longer know it. */
const attributesGate = (values: ControlPlaneValues): readonly string[] =>
  needsAttributesGate(values) ? ['--feature-gates=VolumeAttributesClass=true'] : []

type SidecarName = Extract<ImageName, `csi-${string}`>

/** In the order of the containers. */
export const sidecars = (values: ControlPlaneValues): readonly DriverSidecar<SidecarName>[] => [
  {
    name: 'csi-volume-modifier',
    request: '50Mi',
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_NAMESPACE', value: 'kube-system' },
    ],
    first: ['--v=2'],
    args: ['--leader-election', ...leader],
  },
  {
    name: 'csi-provisioner',
    request: '38Mi',
    args: [
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
    args: [
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
    variable: 'CSI_ENDPOINT',
    args: [
      '--leader-election',
      ...leader,
      `--snapshot-name-prefix=${values.namespace}`,
      '--extra-create-metadata',
      ...limits('worker-threads'),
      '--retry-interval-max=30m',
    ],
  },
  {
    name: 'csi-resizer',
    request: '32Mi',
    args: [
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
