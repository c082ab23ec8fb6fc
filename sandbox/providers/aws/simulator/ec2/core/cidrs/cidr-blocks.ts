import type { Timestamp } from '../../../../../../../shared/clock/clock.ts'
import { refuse } from '../../../service.ts'
import type { CidrAssociation, Ipv6Association, Ipv6BlockFailure, Vpc } from '../../rows/network.ts'
import type { Ec2 } from '../context.ts'
import { invalidParameter } from '../refusals.ts'
import { type AddressRange, formatCidr, parseCidr, sizeOf, subrange } from './cidr.ts'

type BlockState = 'associating' | 'associated' | 'failed' | 'disassociating' | 'disassociated'

/** The state of a CIDR association. */
export const blockState = (
  { now, durations }: Pick<Ec2, 'now' | 'durations'>,
  { since, until, failure }: CidrAssociation,
): BlockState => {
  if (until === undefined) {
    if (now < since + durations.cidrBlockAssociated) return 'associating'
    return failure === undefined ? 'associated' : 'failed'
  }
  return now < until + durations.cidrBlockDisassociated ? 'disassociating' : 'disassociated'
}

/** The state of an IPv6 block with its message, if there is one ("VpcCidrBlockState", API reference). */
export const blockStateView = (ec2: Pick<Ec2, 'now' | 'durations'>, block: CidrAssociation) => {
  const State = blockState(ec2, block)
  return { State, ...(State === 'failed' && { StatusMessage: block.failure }) }
}

/** Returns the failure that the next IPv6 block of a VPC or subnet must end with. */
export const orderedFailure = (
  { state }: Ec2,
  of: Ipv6BlockFailure['of'],
): Pick<CidrAssociation, 'failure'> => {
  const ordered = state.ipv6BlockFailures ?? []
  const next = ordered.find(failure => failure.of === of)
  if (next === undefined) return {}
  state.ipv6BlockFailures = ordered.filter(failure => failure !== next)
  return { failure: next.message }
}

/** Returns the blocks that EC2 still lists. */
export const presentBlocks = <Block extends CidrAssociation>(
  ec2: Pick<Ec2, 'now' | 'durations'>,
  blocks: readonly Block[],
): readonly Block[] => blocks.filter(block => blockState(ec2, block) !== 'disassociated')

/** Returns the ranges of the blocks in use. Blocks that failed or are being disassociated are left out. */
export const rangesOf = (
  ec2: Pick<Ec2, 'now' | 'durations'>,
  blocks: readonly CidrAssociation[],
): AddressRange[] =>
  presentBlocks(ec2, blocks)
    .filter(block => block.until === undefined && blockState(ec2, block) !== 'failed')
    .flatMap(({ cidr }) => parseCidr(cidr) ?? [])

/** A start time that makes a block associated at once, like the primary one. */
export const associatedBefore = (ec2: Ec2): Timestamp => ec2.now - ec2.durations.cidrBlockAssociated

/** @throws AwsError if the text is not a range of the family */
export const requireCidr = (text: string | undefined, family: 4 | 6, parameter: string): AddressRange => {
  const cidr = parseCidr(text)
  if (cidr?.family !== family) throw invalidParameter(parameter, text, 'This is not a valid CIDR block.')
  return cidr
}

/** Amazon's IPv6 addresses. Each region has its own /35 of 2a05:d000::/20, chosen by the region's name. */
const amazonIpv6 = (region: string): AddressRange => {
  const hash = [...region].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 32_768, 7)
  const pool: AddressRange = { family: 6, address: 0x2a05_d000n << 96n, prefix: 20 }
  return subrange(pool, 35, BigInt(hash))
}

/** The source of an IPv6 block: the parameters of CreateVpc and AssociateVpcCidrBlock. */
export interface Ipv6Request {
  readonly AmazonProvidedIpv6CidrBlock?: boolean | undefined
  readonly Ipv6IpamPoolId?: string | undefined
  readonly Ipv6NetmaskLength?: number | undefined
  readonly Ipv6CidrBlock?: string | undefined
}

const usedRanges = (ec2: Ec2): readonly AddressRange[] =>
  ec2.tables.vpcs.all().flatMap((vpc: Vpc) => rangesOf(ec2, vpc.ipv6Blocks))

const fromPool = (ec2: Ec2, id: string, { Ipv6NetmaskLength, Ipv6CidrBlock }: Ipv6Request): AddressRange => {
  const stored = Object.hasOwn(ec2.state.ipamPools, id) ? ec2.state.ipamPools[id] : undefined
  const pool = parseCidr(stored?.cidr)
  if (!pool) throw refuse('InvalidIpamPoolId.NotFound', `The ipam-pool ID '${id}' does not exist`)
  const used = new Set(usedRanges(ec2).map(formatCidr))
  const exhausted = () =>
    refuse('InsufficientCidrBlocks', `The ipam-pool '${id}' does not have a free CIDR block of the size.`)
  if (Ipv6CidrBlock !== undefined) {
    const wanted = requireCidr(Ipv6CidrBlock, 6, 'ipv6CidrBlock')
    if (used.has(formatCidr(wanted)) || wanted.prefix < pool.prefix) throw exhausted()
    return wanted
  }
  const length = Ipv6NetmaskLength ?? 56
  const count = sizeOf(pool) / sizeOf({ ...pool, prefix: length })
  for (let index = 0n; index < count && index < 65_536n; index += 1n) {
    const candidate = subrange(pool, length, index)
    if (!used.has(formatCidr(candidate))) return candidate
  }
  throw exhausted()
}

/** Allocates an IPv6 block from Amazon's pool or an IPAM pool. Returns undefined if the request asks for none. */
export const allocateIpv6 = (
  ec2: Ec2,
  request: Ipv6Request,
  since: Timestamp,
): Ipv6Association | undefined => {
  const pool = request.Ipv6IpamPoolId
  if (pool === undefined && !request.AmazonProvidedIpv6CidrBlock) return undefined
  const range =
    pool === undefined
      ? subrange(amazonIpv6(ec2.region), 56, BigInt(ec2.state.allocations.ipv6Blocks))
      : fromPool(ec2, pool, request)
  if (pool === undefined) ec2.state.allocations.ipv6Blocks += 1
  return {
    id: ec2.newId('vpc-cidr-assoc'),
    cidr: formatCidr(range),
    since,
    pool: pool ?? 'Amazon',
    ...orderedFailure(ec2, 'vpc'),
  }
}
