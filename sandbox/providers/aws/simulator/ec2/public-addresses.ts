import { formatAddress } from './core/cidrs/cidr.ts'
import type { Ec2 } from './core/context.ts'

const base = 0xc612_0000n
const count = 1n << 17n

/**
 * The next address of Amazon's pool. It is taken from 198.18.0.0/15, which RFC 2544 sets aside for tests, so
 * that nothing out there ever has it.
 */
export const nextPublicAddress = ({ state }: Ec2): string => {
  state.allocations.addresses += 1
  // An odd factor goes through the whole range before it repeats.
  return formatAddress(4, base + ((BigInt(state.allocations.addresses) * 40_503n) % count))
}

/** `ec2-198-18-0-1.eu-west-1.compute.amazonaws.com`, in us-east-1 `ec2-198-18-0-1.compute-1.amazonaws.com`. */
export const publicDnsName = (region: string, address: string): string =>
  `ec2-${address.replaceAll('.', '-')}.${region === 'us-east-1' ? 'compute-1' : `${region}.compute`}.amazonaws.com`

/** `ip-10-0-0-5.eu-west-1.compute.internal`, in us-east-1 `ip-10-0-0-5.ec2.internal`. */
export const privateDnsName = (region: string, address: string): string =>
  `ip-${address.replaceAll('.', '-')}.${region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`}`
