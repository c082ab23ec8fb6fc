import ipaddr from 'ipaddr.js'
import { contains, parseCidr } from '../../../account/ranges/cidr.ts'

const bytesOf = (cidr: string): number[] => ipaddr.IPv6.parse(cidr.split('/')[0] ?? '').toByteArray()
const textOf = (bytes: readonly number[], prefix: number): string =>
  `${ipaddr.fromByteArray([...bytes]).toString()}/${prefix}`

/** How many /64 a VPC's /56 has. */
export const blocksOfVpc = 256

/** The /64 of a number inside a VPC's /56, in its canonical form. */
export const subnetBlock = (vpcBlock: string, index: number): string => {
  const bytes = bytesOf(vpcBlock)
  return textOf(
    bytes.map((byte, at) => (at === 7 ? byte + index : byte)),
    64,
  )
}

/** The /108 number 1 inside a subnet's /64, which the services of the cluster get. */
export const serviceBlock = (subnet: string): string => {
  const bytes = bytesOf(subnet)
  return textOf(
    bytes.map((byte, at) => (at === 13 ? 0x10 : byte)),
    108,
  )
}

/** Whether one block lies inside another, of either family. */
export const isInside = (inner: string, outer: string): boolean => {
  const [one, other] = [parseCidr(inner), parseCidr(outer)]
  return one !== undefined && other !== undefined && contains(other, one)
}
