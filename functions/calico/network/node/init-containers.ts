import { when } from '../../../../build/library/components.ts'
import type { CalicoContainer, CalicoRendering } from '../rendering.ts'
import { variable } from '../rendering.ts'
import { fromConfig } from './config-map.ts'
import { cleanUpRoutes, logMtuIssues } from './scripts.ts'
import { endpointOverwrite, nodeName } from './variables.ts'
import { mounts } from './volumes.ts'

const privileged = { securityContext: { privileged: true } }

/** Tasks on a node before Calico runs. */
export const initContainers = ({
  image,
  overlay,
  hasEbpf,
  isUnprivileged,
}: CalicoRendering): readonly CalicoContainer[] => [
  ...when<CalicoContainer>(overlay === 'off', {
    name: 'cleanup-routes',
    image: image('calico-node'),
    command: ['sh', '-c', cleanUpRoutes],
    ...privileged,
  }),
  {
    name: 'log-mtu-issues',
    image: image('calico-node'),
    command: ['/bin/sh', '-c', logMtuIssues],
    ...privileged,
  },
  {
    name: 'install-cni',
    image: image('calico-cni'),
    command: ['/opt/cni/bin/install'],
    envFrom: endpointOverwrite,
    env: [
      variable('CNI_CONF_NAME', '10-calico.conflist'),
      fromConfig('CNI_NETWORK_CONFIG', 'cni_network_config'),
      nodeName('KUBERNETES_NODE_NAME'),
      fromConfig('CNI_MTU', 'veth_mtu'),
      // Exits when done.
      variable('SLEEP', 'false'),
    ],
    volumeMounts: [mounts.cniConfig, mounts.secondaryBinaries],
    ...privileged,
  },
  ...when<CalicoContainer>(hasEbpf, {
    name: 'ebpf-bootstrap',
    image: image('calico-node'),
    command: ['calico-node', '-init', '-best-effort'],
    // Its mounts have to remain on the node after it exits.
    volumeMounts: [
      { ...mounts.sysFs, mountPropagation: 'Bidirectional' },
      { ...mounts.runCalico, mountPropagation: 'Bidirectional' },
      { ...mounts.processes, readOnly: true },
    ],
    ...privileged,
  }),
  ...when<CalicoContainer>(isUnprivileged, {
    name: 'hostpath-init',
    image: image('calico-node'),
    command: ['sh', '-c', 'calico-node -hostpath-init'],
    env: [variable('NODE_USER_ID', '999')],
    securityContext: { allowPrivilegeEscalation: false, runAsUser: 0 },
    volumeMounts: [mounts.run, mounts.lib, mounts.log].map(mount => ({ ...mount, readOnly: false })),
  }),
]
