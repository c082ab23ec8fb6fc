import { minorVersionOf } from '../../../../build/library/shoot.ts'
import type { Cluster, Network } from '../../../../build/library/trellis.ts'
import { kubeProxyProblems, type NetworkConfig } from '../config/calico.ts'
import { throwProblems } from './problem.ts'
import { familiesOf, type NetworkFamily } from './read-network.ts'
import { type Scaling, scalingOf } from './scaling.ts'

type PoolMode = NonNullable<NonNullable<NetworkConfig['ipv4']>['mode']>

export interface AddressPool {
  readonly kind: 'ipip' | 'vxlan'
  readonly mode: PoolMode
  /** Empty if the shoot has no range yet. */
  readonly range: string
  readonly detection: string | undefined
}

/** The values from which the objects of Calico are derived (docs/contract/small-kinds.md#network). */
export interface CalicoValues {
  readonly namespace: string
  /** The version of Kubernetes: `1.33.3`. */
  readonly version: string
  readonly podRange: string
  readonly nodeRange: string | undefined
  readonly backend: 'bird' | 'none' | 'vxlan'
  readonly addresses: AddressManagement
  /** Absent if the shoot has no addresses of the family yet. */
  readonly ipv4: AddressPool | undefined
  readonly ipv6: (AddressPool & { readonly natOutgoing: boolean }) | undefined
  /** `unsaid`: the user sets nothing, and Calico enables it by default. */
  readonly overlay: 'on' | 'off' | 'unsaid'
  /** True if the overlay uses VXLAN. */
  readonly hasVxlanOverlay: boolean
  /** True if nodes masquerade pods toward the name server that the nodes use. */
  readonly snatToUpstreamDns: boolean
  readonly hasIpInIp: boolean
  readonly hasEbpf: boolean
  readonly hasKubeProxy: boolean
  readonly hasNftables: boolean
  readonly serviceLoopPrevention: string | undefined
  readonly hasWireguard: boolean
  readonly mtu: string
  readonly hasTypha: boolean
  readonly hasControllers: boolean
  readonly hasBirdExporter: boolean
  readonly multus: { readonly enabled: boolean; readonly installsPlugins: boolean }
  /** True if calico-node runs as an unprivileged user. */
  readonly isUnprivileged: boolean
  readonly hasVpa: boolean
  readonly scaling: Scaling
}

export interface CalicoInput {
  readonly network: Network
  readonly config: NetworkConfig
  readonly cluster: Cluster
  /** The function's setting. */
  readonly nonPrivileged: boolean
}

/**
 * Returns all values for Calico. Throws a `CodedError` for an invalid combination, and an Error for a broken Cluster.
 */
export const calicoValues = ({ network, config, cluster, nonPrivileged }: CalicoInput): CalicoValues => {
  const { spec } = cluster.spec.shoot
  const { kubeProxy } = spec?.kubernetes ?? {}
  throwProblems('invalid network config', kubeProxyProblems(config, kubeProxy))
  if (kubeProxy?.enabled === false && kubeProxy.mode)
    throwProblems('invalid network config', [
      {
        path: 'spec.kubernetes.kubeProxy.mode',
        message: 'kube-proxy mode must not be set if kube-proxy is disabled',
      },
    ])
  const hasKubeProxy = kubeProxy?.enabled !== false
  const hasVpa = spec?.kubernetes?.verticalPodAutoscaler?.enabled === true
  const families = presentFamilies(network, cluster)
  const hasIpv6 = families.includes('IPv6')
  const overlay = config.overlay === undefined ? 'unsaid' : config.overlay.enabled ? 'on' : 'off'
  const backend = backendOf(config, overlay, hasIpv6)
  const hasEbpf = config.ebpfDataplane?.enabled === true
  return {
    namespace: network.metadata.namespace ?? '',
    version: versionOf(cluster),
    podRange: network.spec.podCIDR,
    nodeRange: spec?.networking?.nodes || undefined,
    backend,
    addresses: addressManagement(config, families),
    ...pools({ network, config, cluster, families, overlay, backend }),
    overlay,
    hasVxlanOverlay: overlay === 'on' && config.vxlan?.enabled === true,
    snatToUpstreamDns: overlay === 'off' && (config.snatToUpstreamDNS?.enabled ?? true),
    hasIpInIp: !hasIpv6 && backend !== 'none' && overlay !== 'off',
    hasEbpf,
    hasKubeProxy,
    hasNftables: hasKubeProxy && kubeProxy?.mode === 'NFTables',
    serviceLoopPrevention: config.serviceLoopPrevention,
    hasWireguard: config.wireguardEncryption,
    mtu: config.vethMTU ?? '0',
    hasTypha: config.typha?.enabled ?? true,
    hasControllers: backend !== 'none',
    hasBirdExporter: config.birdExporter?.enabled ?? false,
    multus: {
      enabled: config.multus?.enabled ?? false,
      installsPlugins: config.multus?.installCNIPlugins ?? false,
    },
    isUnprivileged: nonPrivileged && !hasEbpf,
    hasVpa,
    scaling: scalingOf(config, hasVpa),
  }
}

/**
 * Returns the families that the nodes have. A shoot that migrates to dual-stack has only the first until its nodes have
 * both.
 */
export const presentFamilies = (network: Network, { spec: { shoot } }: Cluster): readonly NetworkFamily[] => {
  const families = familiesOf(network)
  const ready = shoot.status?.constraints?.find(({ type }) => type === 'DualStackNodesMigrationReady')
  return ready === undefined || ready.status === 'True' ? families : families.slice(0, 1)
}

const versionOf = ({ metadata, spec: { shoot } }: Cluster): string => {
  const version = shoot.spec?.kubernetes?.version ?? ''
  try {
    minorVersionOf(version)
  } catch (error) {
    throw new Error(`failed to parse the Kubernetes version '${version}' of shoot ${metadata.name}`, {
      cause: error,
    })
  }
  return version
}

/** The user's overlay setting overrides the backend setting. */
const backendOf = (
  { backend = 'bird', overlay, vxlan }: NetworkConfig,
  kind: CalicoValues['overlay'],
  hasIpv6: boolean,
): CalicoValues['backend'] => {
  switch (kind) {
    case 'on':
      return vxlan?.enabled ? 'vxlan' : 'bird'
    case 'off':
      return overlay?.createPodRoutes ? 'bird' : 'none'
    case 'unsaid':
      return hasIpv6 ? 'none' : backend
  }
}

interface PoolsInput {
  readonly network: Network
  readonly config: NetworkConfig
  readonly cluster: Cluster
  readonly families: readonly NetworkFamily[]
  readonly overlay: CalicoValues['overlay']
  readonly backend: CalicoValues['backend']
}

const pools = ({
  network: { spec },
  config,
  cluster,
  families,
  overlay,
  backend,
}: PoolsInput): Pick<CalicoValues, 'ipv4' | 'ipv6'> => {
  const [hasIpv4, hasIpv6] = [families.includes('IPv4'), families.includes('IPv6')]
  const detection = detectionMethods(config, cluster)
  const hasVxlan = config.vxlan?.enabled === true
  const fallback = hasVxlan || (backend !== 'none' && overlay !== 'off') ? 'Always' : 'Never'
  const byOverlay = overlay === 'on' ? 'Always' : 'Never'
  // With two families, the overlay uses IPv6.
  const mode4 = overlay !== 'unsaid' && !hasIpv6 ? byOverlay : (config.ipv4?.mode ?? fallback)
  return {
    ipv4: hasIpv4
      ? {
          kind: config.ipv4?.pool ?? (hasVxlan ? 'vxlan' : 'ipip'),
          mode: mode4,
          range: spec.podCIDR,
          detection: detection.ipv4,
        }
      : undefined,
    ipv6: hasIpv6
      ? {
          kind: config.ipv6?.pool ?? 'vxlan',
          mode: byOverlay,
          range: ipv6Range(cluster),
          detection: detection.ipv6,
          natOutgoing: config.ipv6?.sourceNATEnabled ?? config.wireguardEncryption,
        }
      : undefined,
  }
}

/**
 * Returns the pod range, read only from the shoot's status, as in the Go extension. Another text would roll
 * calico-node.
 */
const ipv6Range = ({ spec: { shoot } }: Cluster): string =>
  (shoot.status?.networking?.pods ?? []).findLast(range => range.includes(':')) ?? ''

/** The assignment of pod addresses and their ranges: part of the configuration of the CNI plugin. */
interface AddressManagement {
  readonly type: 'host-local' | 'calico-ipam'
  /** `usePodCidr`, `usePodCidrIPv6` or a CIDR. Undefined if `ranges` is set. */
  readonly subnet: string | undefined
  /** One range per family. */
  readonly ranges: readonly (readonly { readonly subnet: string }[])[] | undefined
  readonly assignsIpv4: boolean
  readonly assignsIpv6: boolean
}

const ofNode = { IPv4: 'usePodCidr', IPv6: 'usePodCidrIPv6' } as const

const addressManagement = (
  { ipam, vxlan }: NetworkConfig,
  families: readonly NetworkFamily[],
): AddressManagement => {
  const [assignsIpv4, assignsIpv6] = [families.includes('IPv4'), families.includes('IPv6')]
  const asked = ipam?.type || 'host-local'
  const common = {
    // VXLAN ranges differ from those of the nodes.
    type: assignsIpv4 && vxlan?.enabled ? 'calico-ipam' : asked,
    assignsIpv4,
    assignsIpv6,
  } as const
  if (assignsIpv4 && assignsIpv6)
    return { ...common, subnet: undefined, ranges: [[{ subnet: ofNode.IPv6 }], [{ subnet: ofNode.IPv4 }]] }
  const own = asked === 'host-local' ? ipam?.cidr : undefined
  return { ...common, subnet: own ?? (assignsIpv6 ? ofNode.IPv6 : ofNode.IPv4), ranges: undefined }
}

/** The method by which a node detects its own address, by family. Undefined: Calico's default. */
interface DetectionMethods {
  readonly ipv4: string | undefined
  readonly ipv6: string | undefined
}

/**
 * Prefers the shoot's node ranges, and of these the actual ones to the requested ones. Otherwise uses the user's
 * setting (docs/contract/small-kinds.md#network).
 */
const detectionMethods = ({ ipv4, ipv6 }: NetworkConfig, { spec: { shoot } }: Cluster): DetectionMethods => {
  const users = {
    ipv4: ipv4?.autoDetectionMethod || undefined,
    ipv6: ipv6?.autoDetectionMethod || undefined,
  }
  const asked = shoot.spec?.networking?.nodes
  if (!asked) return users
  const ranges = shoot.status?.networking?.nodes ?? []
  if (ranges.length === 0) return { ...users, ipv4: `cidr=${asked}` }
  const [withIpv4, withIpv6] = [
    ranges.filter(range => !range.includes(':')),
    ranges.filter(range => range.includes(':')),
  ]
  return { ipv4: methodOf(withIpv4), ipv6: methodOf(withIpv6) }
}

const methodOf = (ranges: readonly string[]): string | undefined =>
  ranges.length === 0 ? undefined : `cidr=${ranges.join(',')}`
