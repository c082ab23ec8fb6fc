import type { Cluster } from '../../../../shared/contract/objects.ts'
import type { NetworkConfig } from '../config/calico.ts'

/** How a node finds out which of its addresses is its own, by family; undefined: by what Calico does without being told. */
export interface DetectionMethods {
  readonly ipv4: string | undefined
  readonly ipv6: string | undefined
}

/**
 * Where the shoot says where its nodes are, that counts, and of it what there is rather than what was asked for; otherwise the
 * user's own words (docs/contract/small-kinds.md#network).
 */
export const detectionMethods = (
  { ipv4, ipv6 }: NetworkConfig,
  { spec: { shoot } }: Cluster,
): DetectionMethods => {
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
