import { networkConfigSchema, networkConfigVersion } from '../../functions/calico/network/config/calico.ts'
import type { ProviderConfig } from '../provider-config.ts'

const pods = 'Restarts the pods of calico-node.'
const noEffect = 'Has no effect.'

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'NetworkConfig',
    apiVersion: networkConfigVersion,
    place: '`spec.networking.providerConfig` of a Shoot with Calico',
    schema: networkConfigSchema,
    fields: {
      backend: [
        'Distribution of routes by Calico. `overlay` overrides it.',
        pods,
        '`bird`; `none` with IPv6',
      ],
      'ipam.type': [
        'Address management of pods. Always `calico-ipam` with VXLAN and IPv4.',
        pods,
        '`host-local`',
      ],
      'ipam.cidr': [
        'Range of the pods of a node, with `host-local` and one family.',
        pods,
        'that of the node',
      ],
      'ipv4.pool': ['Tunnel of the pool.', pods, '`ipip`; `vxlan` with VXLAN'],
      'ipv4.mode': ['Traffic that uses the tunnel. `overlay` overrides it.', pods, '`Always` with a backend'],
      'ipv4.autoDetectionMethod': [
        'How a node finds its address, if the shoot has no range of nodes.',
        pods,
        "Calico's",
      ],
      'ipv6.pool': ['Tunnel of the pool.', pods, '`vxlan`'],
      'ipv6.mode': ['Traffic that uses the tunnel. `overlay` overrides it.', pods, '`Never`'],
      'ipv6.autoDetectionMethod': ['As for IPv4.', pods, "Calico's"],
      'ipv6.sourceNATEnabled': [
        'Pods use the address of their node.',
        pods,
        '`false`; `true` with WireGuard',
      ],
      'typha.enabled': [
        'Typha, between calico-node and the API server.',
        'Installs or removes Typha.',
        '`true`',
      ],
      vethMTU: ['MTU of pods, as text: `"1440"`.', pods, 'detected by Calico'],
      'ebpfDataplane.enabled': ['Calico replaces kube-proxy.', pods],
      'overlay.enabled': [
        'Tunnels between nodes, instead of routes in the cloud.',
        `${pods} \`false\` waits for the nodes' routes, if the operator set this.`,
        '`true` with IPv4, `false` with IPv6',
      ],
      'overlay.createPodRoutes': [
        'Without overlay: nodes of one network exchange routes to pods.',
        pods,
        '`false`',
      ],
      'snatToUpstreamDNS.enabled': [
        "Without overlay: pods query name servers with their node's address.",
        pods,
        '`true`',
      ],
      'autoScaling.mode': [
        'Scaling of calico-node and Typha.',
        'Restarts calico-node and Typha.',
        '`cluster-proportional`',
      ],
      'autoScaling.resources.node.cpu': [
        'Request (`static`) or minimum (`vpa`) of calico-node.',
        pods,
        "Calico's",
      ],
      'autoScaling.resources.node.memory': [
        'Request (`static`) or minimum (`vpa`) of calico-node.',
        pods,
        "Calico's",
      ],
      'autoScaling.resources.typha.cpu': [
        'Request (`static`) or minimum (`vpa`) of Typha.',
        'Restarts Typha.',
        "Calico's",
      ],
      'autoScaling.resources.typha.memory': [
        'Request (`static`) or minimum (`vpa`) of Typha.',
        'Restarts Typha.',
        "Calico's",
      ],
      'vxlan.enabled': ['VXLAN instead of IP in IP.', pods],
      ipip: ['Deprecated.', noEffect],
      ipAutodetectionMethod: ['Deprecated.', noEffect],
      wireguardEncryption: ['Encryption between nodes.', pods],
      'birdExporter.enabled': ['Metrics of BIRD.', pods],
      'multus.enabled': ['Additional networks of pods.', 'Installs or removes Multus.'],
      'multus.installCNIPlugins': [
        'Multus also installs its plugins on the nodes.',
        'Restarts Multus.',
        '`false`',
      ],
      serviceLoopPrevention: ['Packets to a Service address without a Service.', pods, "Calico's"],
    },
  },
]
