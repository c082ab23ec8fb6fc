import { DescribeSubnetsCommand, type Subnet } from '@aws-sdk/client-ec2'
import { configurationProblem } from '../../../../../shared/contract/errors.ts'
import { overlaps, parseCidr } from '../../../../cloud/cidr.ts'
import type { CallContext } from '../../../../engine/engine.ts'
import { type Ec2Page, ec2Pages } from '../../../account/client/all-pages.ts'
import { mostAttempts } from '../../../account/client/most-attempts.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isMarked, isOwned } from '../../tags.ts'
import type { VpcOutcome } from '../vpc/vpc.ts'
import { blocksOfVpc, subnetBlock } from './ipv6-blocks.ts'

type NetworkOwner = Pick<DesiredInfrastructure, 'clusterName' | 'uid' | 'otherUids'>
type SubnetRead = Pick<CallContext<AwsCloud>, 'cloud' | 'signal'>

/**
 * Calls `attempt` with the /64 of this number, and while that block belongs to a subnet of another owner with the next
 * free one. Any other conflict is not retried: it may be about another range, or about a subnet that an earlier call
 * without an answer has created.
 */
export const withFreeBlock = async <T>(
  call: SubnetRead & Pick<CallContext<AwsCloud>, 'throwIfExpired'>,
  desired: NetworkOwner,
  { vpc, first }: { readonly vpc: VpcOutcome; readonly first: number },
  attempt: (block: string) => Promise<T>,
): Promise<T> => {
  const { ipv6 } = vpc
  if (ipv6 === undefined) throw new Error(`the VPC ${vpc.id} has no IPv6 CIDR block`)
  const refused = new Set<string>()
  let block = subnetBlock(ipv6, first)
  for (;;) {
    try {
      return await attempt(block)
    } catch (error) {
      refused.add(block)
      if (!isConflictOf(error, block) || refused.size >= mostAttempts) throw error
      const subnets = await subnetsOf(call, vpc.id)
      const [holder] = subnets.filter(subnet => blocksIn([subnet]).some(held => areOverlapping(held, block)))
      if (holder === undefined || isMarked(desired, holder.Tags)) throw error
      block = freeBlock(vpc.id, ipv6, first, [...refused, ...blocksIn(subnets)])
      call.throwIfExpired()
    }
  }
}

/** Returns the first /64 from this number on that overlaps with none of these blocks, else a lower one. */
const freeBlock = (vpc: string, vpcBlock: string, first: number, used: readonly string[]): string => {
  const ranges = used.flatMap(block => parseCidr(block) ?? [])
  for (let index = 0; index < blocksOfVpc; index++) {
    const block = subnetBlock(vpcBlock, (first + index) % blocksOfVpc)
    const range = parseCidr(block)
    if (range !== undefined && !ranges.some(other => overlaps(other, range))) return block
  }
  throw configurationProblem(
    `the VPC ${vpc} has no free /64 in its IPv6 CIDR block ${vpcBlock}. Delete subnets of others in it`,
  )
}

/**
 * Returns the result of a create call for a subnet with an IPv4 range. If the range overlaps with a subnet that is not
 * the shoot's, only the user can change that, so the error names both.
 *
 * @param path of the range in the config
 */
export const withTakenRange = async <T>(
  call: SubnetRead,
  desired: NetworkOwner,
  { vpc, cidr, path }: { readonly vpc: string; readonly cidr: string | undefined; readonly path: string },
  create: () => Promise<T>,
): Promise<T> => {
  try {
    return await create()
  } catch (error) {
    if (cidr === undefined || !isConflictOf(error, cidr)) throw error
    const other = (await subnetsOf(call, vpc)).find(
      ({ CidrBlock = '', Tags }) =>
        areOverlapping(CidrBlock, cidr) && !isOwned(desired, Tags) && !isMarked(desired, Tags),
    )
    // The former subnet of another zone, which is being deleted.
    if (other === undefined) throw error
    throw configurationProblem(
      `spec.providerConfig.${path}: ${takenRange(vpc, cidr, { id: other.SubnetId, cidr: other.CidrBlock })}`,
    )
  }
}

/** Returns the problem of a range that overlaps with a subnet of another owner. */
export const takenRange = (
  vpc: string,
  cidr: string,
  other: { readonly id: string | undefined; readonly cidr: string | undefined },
): string =>
  `expected an unused CIDR of ${vpc}, found ${cidr}, which overlaps with ${other.id} (${other.cidr})`

/** EC2 names the range: `The CIDR '10.0.0.0/24' conflicts with another subnet`. Without a name, it may be this one. */
const isConflictOf = (error: unknown, cidr: string): boolean => {
  if (!(error instanceof AwsError) || error.code !== 'InvalidSubnet.Conflict') return false
  const named = /[\da-f.:]{1,43}\/\d{1,3}/i.exec(error.said)?.[0]
  return named === undefined || areOverlapping(named, cidr)
}

const areOverlapping = (one: string, other: string): boolean => {
  const [range, otherRange] = [parseCidr(one), parseCidr(other)]
  return range !== undefined && otherRange !== undefined && overlaps(range, otherRange)
}

const blocksIn = (subnets: readonly Subnet[]): readonly string[] =>
  subnets.flatMap(({ Ipv6CidrBlockAssociationSet = [] }) =>
    Ipv6CidrBlockAssociationSet.flatMap(({ Ipv6CidrBlock }) => Ipv6CidrBlock ?? []),
  )

/** Reads the subnets now, because the plan may be older than the conflict. */
const subnetsOf = ({ cloud, signal }: SubnetRead, vpc: string): Promise<readonly Subnet[]> =>
  ec2Pages('Subnets', 'SubnetId', (page: Ec2Page) => {
    const Filters = [{ Name: 'vpc-id', Values: [vpc] }]
    return cloud.ec2.send(new DescribeSubnetsCommand({ Filters, ...page }), { abortSignal: signal })
  })
