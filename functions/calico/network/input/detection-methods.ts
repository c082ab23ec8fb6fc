import type { Cluster } from '../../../../build/library/trellis.ts'
import type { NetworkConfig } from '../config/calico.ts'

/** The method by which a node detects its own address, by family. Undefined: Calico's default. */
export interface DetectionMethods {
  readonly ipv4: string | undefined
  readonly ipv6: string | undefined
}

/**
 * Prefers the shoot's node ranges, and of these the actual ones to the requested ones. Otherwise uses the user's
 * setting (docs/contract/small-kinds.md#network).
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
