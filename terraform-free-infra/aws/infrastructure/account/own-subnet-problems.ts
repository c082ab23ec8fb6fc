import { DescribeSubnetsCommand, type Subnet } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { contains, parseCidr } from '../../../cloud/cidr.ts'
import { type Ec2Page, ec2Pages } from '../../account/client/all-pages.ts'
import type { ConfigZone } from '../config/config.ts'
import { zonePath } from '../config/problems/zone-problems.ts'
import type { AccountInput } from './account-input.ts'

const fields = ['workersSubnetID', 'publicSubnetID', 'internalSubnetID'] as const
type SubnetField = (typeof fields)[number]

interface NamedSubnet {
  readonly path: string
  readonly id: string
  readonly field: SubnetField
  readonly zone: ConfigZone
}

/** Returns the problems of the user's subnets (docs/contract/provider-aws.md#subnets-of-the-user). */
export const ownSubnetProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { networks } = input.config
  if (networks.vpc.id === undefined) return []
  const named = networks.zones.flatMap((zone, index) =>
    fields.flatMap((field): readonly NamedSubnet[] => {
      const id = zone[field]
      return id === undefined ? [] : [{ path: zonePath(index, field), id, field, zone }]
    }),
  )
  if (named.length === 0) return []
  const { reads, read } = input
  const found = byId(await read(reads.subnets))
  // Subnets outside the VPC. The problem says where they are.
  const others = named.map(({ id }) => id).filter(id => !found.has(id))
  const elsewhere = others.length === 0 ? byId([]) : byId(await subnetsWithIds(input, others))
  return named.flatMap(one => problemsOf(input, one, found.get(one.id) ?? elsewhere.get(one.id)))
}

const byId = (subnets: readonly Subnet[]): ReadonlyMap<string, Subnet> =>
  new Map(subnets.map(subnet => [subnet.SubnetId ?? '', subnet]))

const subnetsWithIds = async (
  { cloud, signal }: AccountInput,
  ids: readonly string[],
): Promise<readonly Subnet[]> => {
  // Uses a filter, because a request with ids fails if one of them does not exist.
  const Filters = [{ Name: 'subnet-id', Values: [...new Set(ids)] }]
  return ec2Pages('Subnets', 'SubnetId', (page: Ec2Page) =>
    cloud.ec2.send(new DescribeSubnetsCommand({ Filters, ...page }), { abortSignal: signal }),
  )
}

const problemsOf = (
  { config, ipv6, nodes, cloud }: AccountInput,
  { path, id, field, zone }: NamedSubnet,
  subnet: Subnet | undefined,
): readonly Problem[] => {
  if (subnet === undefined)
    return [{ path, message: `expected a subnet of the account in ${cloud.region}, found no ${id} there` }]
  const say = (message: string): readonly Problem[] => [{ path, message }]
  const vpcId = config.networks.vpc.id
  const misplaced = [
    ...(subnet.VpcId === vpcId
      ? []
      : say(`expected a subnet of ${vpcId}, found ${id}, which is in ${subnet.VpcId}`)),
    ...(subnet.AvailabilityZone === zone.name
      ? []
      : say(`expected a subnet in ${zone.name}, found ${id}, which is in ${subnet.AvailabilityZone}`)),
  ]
  if (misplaced.length > 0) return misplaced
  const isWorkers = field === 'workersSubnetID'
  return [
    ...(ipv6 ? ipv6Problems(subnet, isWorkers).flatMap(say) : []),
    ...(isWorkers ? nodesProblems(subnet, nodes).flatMap(say) : []),
    ...(!isWorkers && (subnet.Ipv6Native === true || !subnet.CidrBlock)
      ? say(`expected a subnet with an IPv4 CIDR, which load balancers need, found ${id} with IPv6 only`)
      : []),
  ]
}

const ipv6Problems = (subnet: Subnet, isWorkers: boolean): readonly string[] => {
  const blocks = (subnet.Ipv6CidrBlockAssociationSet ?? []).filter(
    ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === 'associated',
  )
  if (blocks.length !== 1)
    return [`expected a subnet with exactly one IPv6 CIDR, found ${blocks.length} in ${subnet.SubnetId}`]
  return when(
    isWorkers && subnet.AssignIpv6AddressOnCreation !== true,
    `expected a subnet that assigns nodes an IPv6 address at start. Set AssignIpv6AddressOnCreation of ${subnet.SubnetId}`,
  )
}

const nodesProblems = ({ CidrBlock = '' }: Subnet, nodes: string | undefined): readonly string[] => {
  const inner = parseCidr(CidrBlock)
  const outer = parseCidr(nodes ?? '')
  // IPv6 nodes may have a small IPv4 range for AWS services.
  if (inner === undefined || outer === undefined || outer.family !== 4 || contains(outer, inner)) return []
  return [
    `expected a subnet inside the nodes CIDR of the shoot (${outer.text}), found one with the CIDR ${CidrBlock}`,
  ]
}
