import { podNetworks } from '../../../../shared/contract/cluster-facts.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { usersProblem, withProblem } from './control-plane-problem.ts'

export interface ControlPlaneNetworking {
  /** As the shoot names them: `IPv4`, `IPv6`; empty where it names none. */
  readonly ipFamilies: readonly string[]
  readonly podRanges: readonly string[]
  /** Nodes have ranges of IPv6 for their pods, also before the shoot has that family. */
  readonly hasNodesWithIpv6: boolean
  /** Bits of a node's range of pods; undefined: what the controller has for it. */
  readonly nodeCidrMaskSize: number | undefined
  /** Pods of different nodes reach each other in a tunnel; false: by routes of the VPC. */
  readonly hasOverlay: boolean
  readonly isCalico: boolean
}

/** Throws a `CodedError` for a config of the network that does not say whether there is an overlay. */
export const readNetworking = (cluster: Cluster): ControlPlaneNetworking => {
  const { spec, status } = cluster.spec.shoot
  const ipFamilies = spec?.networking?.ipFamilies ?? []
  return {
    ipFamilies,
    podRanges: podNetworks(cluster),
    hasNodesWithIpv6: ipFamilies.includes('IPv6') || (status?.networking?.nodes ?? []).some(isIpv6),
    nodeCidrMaskSize: spec?.kubernetes?.kubeControllerManager?.nodeCIDRMaskSize ?? undefined,
    hasOverlay: withProblem('could not determine if overlay is enabled', usersProblem, () =>
      hasOverlay(spec?.networking?.providerConfig),
    ),
    isCalico: spec?.networking?.type === 'calico',
  }
}

export const hasIpv6Alone = ({ ipFamilies }: Pick<ControlPlaneNetworking, 'ipFamilies'>): boolean =>
  ipFamilies.includes('IPv6') && !ipFamilies.includes('IPv4')

export const isIpv6 = (range: string): boolean => range.includes(':')

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOverlay = (networkConfig: unknown): boolean => {
  if (!isObject(networkConfig)) return true
  const { overlay } = networkConfig
  if (overlay === undefined || overlay === null) return true
  if (!isObject(overlay)) throw new Error('overlay is not an object')
  if (typeof overlay.enabled !== 'boolean') throw new Error('overlay.enabled is not a boolean')
  return overlay.enabled
}
