import ipaddr from 'ipaddr.js'
import { contains, parseCidr } from '../../../account/ranges/cidr.ts'

const bytesOf = (cidr: string): number[] => ipaddr.IPv6.parse(cidr.split('/')[0] ?? '').toByteArray()
const formatBlock = (bytes: readonly number[], prefix: number): string =>
  `${ipaddr.fromByteArray([...bytes]).toString()}/${prefix}`

/** Number of /64 blocks in the /56 of a VPC. */
export const blocksOfVpc = 256

/** Returns the /64 with this number in the /56 of a VPC, in canonical form. */
export const subnetBlock = (vpcBlock: string, index: number): string => {
  const bytes = bytesOf(vpcBlock)
  return formatBlock(
    bytes.map((byte, at) => (at === 7 ? byte + index : byte)),
    64,
  )
}

/** Returns the /108 number 1 in the /64 of a subnet. It is for the services of the cluster. */
export const serviceBlock = (subnet: string): string => {
  const bytes = bytesOf(subnet)
  return formatBlock(
    bytes.map((byte, at) => (at === 13 ? 0x10 : byte)),
    108,
  )
}

/** Returns true if one block is inside another, of either family. */
export const isInside = (inner: string, outer: string): boolean => {
  const [one, other] = [parseCidr(inner), parseCidr(outer)]
  return one !== undefined && other !== undefined && contains(other, one)
}
