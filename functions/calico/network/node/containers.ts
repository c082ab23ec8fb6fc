import { when } from '../../../../build/library/components.ts'
import {
  type CalicoContainer,
  type CalicoRendering,
  type EnvVar,
  ports,
  requests,
  variable,
} from '../rendering.ts'
import { fromConfig } from './config-map.ts'
import { ensureCondition, snatToUpstreamDns } from './scripts.ts'
import { endpointOverwrite, nodeName } from './variables.ts'
import { mounts } from './volumes.ts'

const pullPolicy = 'IfNotPresent'

const unprivileged = (...capabilities: readonly string[]) => ({
  privileged: false,
  allowPrivilegeEscalation: false,
  capabilities: { add: capabilities },
})

const snat = ({ image, isUnprivileged, podRange }: CalicoRendering): CalicoContainer => ({
  name: 'add-snat-rule-to-upstream-dns',
  image: image('calico-node'),
  imagePullPolicy: pullPolicy,
  securityContext: isUnprivileged ? unprivileged('NET_ADMIN') : { privileged: true },
  env: [variable('POD_CIDR', podRange)],
  command: ['/bin/sh', '-c', snatToUpstreamDns],
  volumeMounts: [mounts.lock],
})

const conditionEnsurer = (rendering: CalicoRendering): CalicoContainer => ({
  name: 'network-unavailable-condition-ensurer',
  image: rendering.image('calico-node'),
  imagePullPolicy: pullPolicy,
  securityContext: { privileged: false, allowPrivilegeEscalation: false },
  env: ensurerEnvironment(rendering),
  command: ['/bin/bash', '-c', ensureCondition],
})

const probe = (rendering: CalicoRendering, what: 'live' | 'ready') => ({
  exec: {
    command: ['/bin/calico-node', `-felix-${what}`, ...when(rendering.backend === 'bird', `-bird-${what}`)],
  },
  periodSeconds: 10,
  timeoutSeconds: 10,
})

const calicoNode = (rendering: CalicoRendering): CalicoContainer => {
  const { image, isUnprivileged, hasEbpf, scaling } = rendering
  const folders = isUnprivileged ? [mounts.run, mounts.lib, mounts.log] : [mounts.runCalico, mounts.libCalico]
  return {
    name: 'calico-node',
    image: image('calico-node'),
    envFrom: endpointOverwrite,
    ports: [{ containerPort: ports.felixMetrics, name: 'metrics', protocol: 'TCP' }],
    env: nodeEnvironment(rendering),
    securityContext: isUnprivileged
      ? { runAsUser: 999, runAsGroup: 0, ...unprivileged('NET_RAW', 'NET_ADMIN', 'NET_BIND_SERVICE') }
      : { privileged: true },
    resources: requests(scaling.node.cpu ?? '250m', scaling.node.memory ?? '100Mi'),
    lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
    livenessProbe: { ...probe(rendering, 'live'), initialDelaySeconds: 10, failureThreshold: 6 },
    readinessProbe: probe(rendering, 'ready'),
    volumeMounts: [
      { ...mounts.cniConfig, readOnly: false },
      mounts.modules,
      mounts.lock,
      ...folders.map(mount => ({ ...mount, readOnly: false })),
      mounts.policySync,
      ...when(hasEbpf, mounts.bpf),
      mounts.cniLog,
    ],
  }
}

const birdExporter = ({ image, ipv6 }: CalicoRendering): CalicoContainer => ({
  name: 'bird-exporter',
  image: image('bird-exporter'),
  args: [
    '-format.new=true',
    '-bird.socket=/var/run/calico/bird.ctl',
    ...when(ipv6 === undefined, '-bird.ipv6=false'),
    `-web.listen-address=:${ports.birdMetrics}`,
  ],
  resources: requests('10m', '32Mi'),
  volumeMounts: [{ ...mounts.runCalico, readOnly: true }],
  ports: [{ containerPort: ports.birdMetrics, name: 'bird-metrics', protocol: 'TCP' }],
})

export const containers = (rendering: CalicoRendering): readonly CalicoContainer[] => [
  ...when(rendering.snatToUpstreamDns, snat(rendering)),
  ...when(rendering.backend !== 'none', conditionEnsurer(rendering)),
  calicoNode(rendering),
  // Its socket is in a directory that an unprivileged calico-node does not have.
  ...when(rendering.hasBirdExporter && !rendering.isUnprivileged, birdExporter(rendering)),
]

const detected = (name: string, method: string | undefined): readonly EnvVar[] =>
  method === undefined ? [] : [variable(name, method)]

const ipv4Detection = ({ ipv4 }: CalicoRendering): readonly EnvVar[] => [
  variable('IP', ipv4 === undefined ? 'none' : 'autodetect'),
]

/** The environment of the container that repeats the condition of a ready network. */
const ensurerEnvironment = (rendering: CalicoRendering): readonly EnvVar[] => {
  const { ipv4, ipv6 } = rendering
  return [
    fromConfig('CALICO_NETWORKING_BACKEND', 'calico_backend'),
    ...ipv4Detection(rendering),
    ...detected('IP_AUTODETECTION_METHOD', ipv4?.detection),
    ...when(ipv6 !== undefined, variable('IP6', 'autodetect')),
    ...detected('IP6_AUTODETECTION_METHOD', ipv6?.detection),
    variable('NO_DEFAULT_POOLS', 'true'),
    nodeName('NODENAME'),
  ]
}

const ipv4Variables = ({ ipv4 }: CalicoRendering): readonly EnvVar[] =>
  ipv4 === undefined
    ? []
    : [
        variable(`CALICO_IPV4POOL_${ipv4.kind.toUpperCase()}`, ipv4.mode),
        variable('CALICO_IPV4POOL_CIDR', ipv4.range),
        ...detected('IP_AUTODETECTION_METHOD', ipv4.detection),
      ]

const ipv6Variables = ({ ipv6 }: CalicoRendering): readonly EnvVar[] =>
  ipv6 === undefined
    ? []
    : [
        variable('IP6', 'autodetect'),
        variable(`CALICO_IPV6POOL_${ipv6.kind.toUpperCase()}`, ipv6.mode),
        variable('CALICO_IPV6POOL_CIDR', ipv6.range),
        ...detected('IP6_AUTODETECTION_METHOD', ipv6.detection),
        variable('CALICO_IPV6POOL_NAT_OUTGOING', String(ipv6.natOutgoing)),
        variable('CALICO_ROUTER_ID', 'hash'),
      ]

/** The environment of calico-node. Another order would roll every node. */
const nodeEnvironment = (rendering: CalicoRendering): readonly EnvVar[] => {
  const { ipv6, hasEbpf, hasKubeProxy, hasWireguard, hasVxlanOverlay } = rendering
  return [
    ...when(rendering.addresses.type === 'host-local', variable('USE_POD_CIDR', 'true')),
    variable('FELIX_PROMETHEUSMETRICSENABLED', 'true'),
    variable('FELIX_PROMETHEUSMETRICSPORT', String(ports.felixMetrics)),
    variable('DATASTORE_TYPE', 'kubernetes'),
    fromConfig('FELIX_TYPHAK8SSERVICENAME', 'typha_service_name'),
    variable('WAIT_FOR_DATASTORE', 'true'),
    nodeName('NODENAME'),
    fromConfig('CALICO_NETWORKING_BACKEND', 'calico_backend'),
    variable('CLUSTER_TYPE', 'k8s,bgp'),
    ...ipv4Detection(rendering),
    ...ipv4Variables(rendering),
    ...ipv6Variables(rendering),
    variable('FELIX_IPV6SUPPORT', String(ipv6 !== undefined)),
    fromConfig('FELIX_IPINIPMTU', 'veth_mtu'),
    fromConfig('FELIX_VXLANMTU', 'veth_mtu'),
    fromConfig('FELIX_WIREGUARDMTU', 'veth_mtu'),
    variable('CALICO_DISABLE_FILE_LOGGING', 'true'),
    variable('FELIX_DEFAULTENDPOINTTOHOSTACTION', 'ACCEPT'),
    ...when(!hasVxlanOverlay, variable('FELIX_IPINIPENABLED', String(rendering.hasIpInIp))),
    variable('FELIX_BPFENABLED', String(hasEbpf)),
    // kube-proxy uses the default port. Calico before 3.30.5 reads the first name.
    ...when(
      hasEbpf && hasKubeProxy,
      variable('FELIX_BPFKUBEPROXYHEALTZPORT', '10257'),
      variable('FELIX_BPFKUBEPROXYHEALTHZPORT', '10257'),
    ),
    variable('FELIX_BPFKUBEPROXYIPTABLESCLEANUPENABLED', String(!hasKubeProxy)),
    variable('FELIX_HEALTHENABLED', 'true'),
    variable('FELIX_NATPORTRANGE', '32768:65535'),
    ...(rendering.serviceLoopPrevention === undefined
      ? []
      : [variable('FELIX_SERVICELOOPPREVENTION', rendering.serviceLoopPrevention)]),
    ...when(rendering.hasNftables, variable('FELIX_NFTABLESMODE', 'Enabled')),
    ...when(rendering.snatToUpstreamDns, variable('FELIX_CHAININSERTMODE', 'Append')),
    ...when(
      hasWireguard,
      variable('FELIX_WIREGUARDENABLED', 'true'),
      variable('FELIX_WIREGUARDENABLEDV6', 'true'),
    ),
    variable('CALICO_MANAGE_CNI', 'true'),
    ...when(
      hasVxlanOverlay,
      variable('CALICO_IPV4POOL_IPIP', 'Never'),
      variable('FELIX_VXLANENABLED', 'true'),
    ),
  ]
}
