import type { NetworkConfig } from '../config/calico.ts'
import type { NetworkFamily } from './read-network.ts'

/** The assignment of pod addresses and their ranges: part of the configuration of the CNI plugin. */
export interface AddressManagement {
  readonly type: 'host-local' | 'calico-ipam'
  /** `usePodCidr`, `usePodCidrIPv6` or a CIDR. Undefined if `ranges` is set. */
  readonly subnet: string | undefined
  /** One range per family. */
  readonly ranges: readonly (readonly { readonly subnet: string }[])[] | undefined
  readonly assignsIpv4: boolean
  readonly assignsIpv6: boolean
}

const ofNode = { IPv4: 'usePodCidr', IPv6: 'usePodCidrIPv6' } as const

export const addressManagement = (
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
