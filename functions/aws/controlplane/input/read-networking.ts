import { podNetworks } from '../../../../shared/contract/cluster-facts.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { usersProblem, withProblem } from './control-plane-problem.ts'

export interface ControlPlaneNetworking {
  /** `IPv4`, `IPv6` in the shoot's order. Empty if the shoot names none. */
  readonly ipFamilies: readonly string[]
  readonly podRanges: readonly string[]
  /** True if nodes have IPv6 ranges for their pods, even before the shoot has that family. */
  readonly hasNodesWithIpv6: boolean
  /** Mask bits of a node's pod range. Undefined: the default of the controller. */
  readonly nodeCidrMaskSize: number | undefined
  /** True if pods of different nodes communicate through a tunnel. False: through routes of the VPC. */
  readonly hasOverlay: boolean
  readonly isCalico: boolean
}

/** Throws a `CodedError` for a network config without the overlay setting. */
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
