import { formatAddress } from './core/cidrs/cidr.ts'
import type { Ec2 } from './core/context.ts'

const base = 0xc612_0000n
const count = 1n << 17n

/**
 * Returns the next address of Amazon's pool: one of 198.18.0.0/15, which RFC 2544 reserves for tests, so that no real
 * host has it.
 */
export const nextPublicAddress = ({ state }: Ec2): string => {
  state.allocations.addresses += 1
  // An odd factor visits the whole range before it repeats.
  return formatAddress(4, base + ((BigInt(state.allocations.addresses) * 40_503n) % count))
}

/**
 * Examples: `ec2-198-18-0-1.eu-west-1.compute.amazonaws.com`; `ec2-198-18-0-1.compute-1.amazonaws.com` in us-east-1.
 */
export const publicDnsName = (region: string, address: string): string =>
  `ec2-${address.replaceAll('.', '-')}.${region === 'us-east-1' ? 'compute-1' : `${region}.compute`}.amazonaws.com`

/** Examples: `ip-10-0-0-5.eu-west-1.compute.internal`; `ip-10-0-0-5.ec2.internal` in us-east-1. */
export const privateDnsName = (region: string, address: string): string =>
  `ip-${address.replaceAll('.', '-')}.${region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`}`
