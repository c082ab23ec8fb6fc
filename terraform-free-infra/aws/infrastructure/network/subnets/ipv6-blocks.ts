import type { SubnetIpv6CidrBlockAssociation, VpcIpv6CidrBlockAssociation } from '@aws-sdk/client-ec2'
import ipaddr from 'ipaddr.js'
import { contains, parseCidr } from '../../../../cloud/cidr.ts'
import type { CallContext } from '../../../../engine/engine.ts'

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
  'AssociationId' | 'Ipv6CidrBlock' | 'Ipv6CidrBlockState'
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
      ? (failed.Ipv6CidrBlockState?.StatusMessage || 'AWS states no reason').replace(/\.$/, '')
      : undefined
  return { block, isPending, failure }
}

/**
 * Returns the attributes of a block. After a failed association, only the reason differs from what is desired, so that
 * the next plan requests another block at once, and shows the reason.
 */
export const blockAttributes = ({
  block,
  failure,
}: Ipv6Block): { readonly ipv6?: true; readonly ipv6Failure?: string } => ({
  ...((block ?? failure) !== undefined && { ipv6: true }),
  ...(failure !== undefined && { ipv6Failure: failure }),
})

/** Returns true if a change of this attribute needs a block. */
export const isBlockAttribute = (attribute: string): boolean => ['ipv6', 'ipv6Failure'].includes(attribute)

const inState = <T extends BlockAssociation>(associations: readonly T[], state: string): readonly T[] =>
  associations.filter(({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === state)

/** A requested association of an IPv6 block. */
interface RequestedBlock {
  /** The owner of the block: `VPC vpc-1`. */
  readonly label: string
  /** The id of the association. */
  readonly association: string | undefined
  readonly pollMs: number
  /** Reads the associations of the owner. */
  readonly read: () => Promise<readonly BlockAssociation[] | undefined>
}

/** The number of reads for the result of an association within an action. */
const mostReads = 3

/**
 * Waits some seconds for the result of an association. Returns the block, or undefined if AWS has not finished yet.
 *
 * @throws the reason of AWS, if it could not associate the block
 */
export const awaitBlock = async (
  { clock, signal }: Pick<CallContext<unknown>, 'clock' | 'signal'>,
  { label, association, pollMs, read }: RequestedBlock,
): Promise<string | undefined> => {
  for (let reads = 0; reads < mostReads; reads++) {
    await clock.sleep(pollMs, signal)
    const requested = (await read())?.filter(({ AssociationId }) => AssociationId === association)
    const { block, failure } = ipv6BlockOf(requested)
    if (block !== undefined) return block
    if (failure !== undefined)
      throw new Error(
        `AWS could not associate an IPv6 CIDR block with ${label}: ${failure}. Remove the cause in AWS; the next attempt requests a block again`,
      )
  }
  return undefined
}
