import type { SubnetIpv6CidrBlockAssociation, VpcIpv6CidrBlockAssociation } from '@aws-sdk/client-ec2'
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

/** An IPv6 block of a VPC or subnet, as EC2 lists it. */
type BlockAssociation = Pick<
  SubnetIpv6CidrBlockAssociation & VpcIpv6CidrBlockAssociation,
  'Ipv6CidrBlock' | 'Ipv6CidrBlockState'
>

/** The IPv6 block of a VPC or subnet. */
export interface Ipv6Block {
  /** The associated block. */
  readonly block: string | undefined
  /** True while AWS associates one. */
  readonly isPending: boolean
  /** The reason of AWS why it could not associate one, if there is no other. */
  readonly failure: string | undefined
}

/** Returns the associated blocks in a fixed order, because AWS documents none. */
export const associatedBlocks = (associations: readonly BlockAssociation[] = []): readonly string[] =>
  inState(associations, 'associated')
    .flatMap(({ Ipv6CidrBlock }) => Ipv6CidrBlock ?? [])
    .sort()

/** `preferred`: the block to choose if several are associated. */
export const ipv6BlockOf = (
  associations: readonly BlockAssociation[] = [],
  preferred?: string,
): Ipv6Block => {
  const blocks = associatedBlocks(associations)
  const block = blocks.find(one => one === preferred) ?? blocks[0]
  const isPending = block === undefined && inState(associations, 'associating').length > 0
  const [failed] = inState(associations, 'failed')
  const failure =
    block === undefined && !isPending && failed !== undefined
      ? failed.Ipv6CidrBlockState?.StatusMessage || 'AWS states no reason'
      : undefined
  return { block, isPending, failure }
}

const inState = <T extends BlockAssociation>(associations: readonly T[], state: string): readonly T[] =>
  associations.filter(({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === state)

/**
 * Throws the reason why the last association of a block failed, although another one was just requested: its result is
 * known only later, and until then the user must be able to read the reason.
 */
export const throwIpv6Failure = (label: string, failure: string | undefined): void => {
  if (failure === undefined) return
  throw new Error(
    `cannot associate an IPv6 CIDR block with ${label}: ${failure}. Remove the cause in AWS; a block is requested again`,
  )
}
