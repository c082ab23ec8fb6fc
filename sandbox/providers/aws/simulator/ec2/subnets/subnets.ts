import type {
  CreateSubnetRequest,
  CreateSubnetResult,
  DeleteSubnetRequest,
  DescribeSubnetsRequest,
  DescribeSubnetsResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { type AddressRange, contains, formatCidr, overlaps, parseCidr } from '../core/cidrs/cidr.ts'
import { rangesOf, requireCidr } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { checkLimit, hasDependencies, invalidParameter } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import { dissociateFromAcls } from '../network-acls/new-acl.ts'
import type { Subnet, Vpc } from '../rows/network.ts'
import { newTags } from '../tags/tag-rules.ts'
import { zonesOf } from '../zones/catalogue.ts'
import { newSubnet } from './new-subnet.ts'
import { subnetFields, subnetView } from './view.ts'

const outOfRange = (text: string | undefined) =>
  refuse('InvalidSubnet.Range', `The CIDR '${text}' is invalid.`)

const rangesOfSubnets = (ec2: Ec2, vpcId: string): readonly AddressRange[] =>
  ec2.tables.subnets
    .by('vpc-id', vpcId)
    .flatMap(subnet => [parseCidr(subnet.cidr) ?? [], rangesOf(ec2, subnet.ipv6Blocks)].flat())

const checkFree = (ec2: Ec2, vpcId: string, range: AddressRange, text: string | undefined): void => {
  if (rangesOfSubnets(ec2, vpcId).some(other => overlaps(other, range))) {
    throw refuse('InvalidSubnet.Conflict', `The CIDR '${text}' conflicts with another subnet`)
  }
}

/** Returns the range: /16 to /28, inside a block of the VPC, not overlapping other subnets. */
const ipv4Range = (ec2: Ec2, vpc: Vpc, text: string): AddressRange => {
  const range = requireCidr(text, 4, 'cidrBlock')
  if (range.prefix < 16 || range.prefix > 28) throw outOfRange(text)
  if (!rangesOf(ec2, vpc.blocks).some(block => contains(block, range))) throw outOfRange(text)
  checkFree(ec2, vpc.id, range, text)
  return range
}

/** Returns the range: /44 to /64 in steps of four ("Subnet CIDR blocks", VPC user guide). */
export const ipv6Range = (ec2: Ec2, vpc: Vpc, text: string): AddressRange => {
  const range = requireCidr(text, 6, 'ipv6CidrBlock')
  if (range.prefix < 44 || range.prefix > 64 || range.prefix % 4 !== 0) throw outOfRange(text)
  if (!rangesOf(ec2, vpc.ipv6Blocks).some(block => contains(block, range))) throw outOfRange(text)
  checkFree(ec2, vpc.id, range, text)
  return range
}

const zoneOf = (ec2: Ec2, { AvailabilityZone, AvailabilityZoneId }: CreateSubnetRequest): string => {
  const zones = zonesOf(ec2.region)
  const given = AvailabilityZone ?? AvailabilityZoneId
  if (given === undefined) return zones[0]?.name ?? ''
  const zone = zones.find(({ name, id }) => name === AvailabilityZone || id === AvailabilityZoneId)
  if (zone) return zone.name
  throw invalidParameter(
    AvailabilityZone === undefined ? 'availabilityZoneId' : 'availabilityZone',
    given,
    `Subnets can currently only be created in the following availability zones: ${zones.map(({ name }) => name).join(', ')}.`,
  )
}

const checkNative = (input: CreateSubnetRequest): void => {
  if (!input.Ipv6Native) {
    return
  }
}

const isSubnetInUse = (ec2: Ec2, { id }: Subnet): boolean =>
  ec2.tables.networkInterfaces.by('subnet-id', id).length > 0

export const subnetOperations = {
  CreateSubnet: operation<CreateSubnetRequest, CreateSubnetResult>(
    {
      VpcId: true,
      AvailabilityZone: true,
      AvailabilityZoneId: true,
      CidrBlock: true,
      Ipv6CidrBlock: true,
      Ipv6Native: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      checkNative(input)
      const vpc = find(ec2, 'vpcs', input.VpcId)
      const zone = zoneOf(ec2, input)
      const range = input.CidrBlock === undefined ? undefined : ipv4Range(ec2, vpc, input.CidrBlock)
      const range6 = input.Ipv6CidrBlock === undefined ? undefined : ipv6Range(ec2, vpc, input.Ipv6CidrBlock)
      const tags = newTags(input.TagSpecifications, 'subnet')
      checkLimit(ec2.tables.subnets.by('vpc-id', vpc.id).length, ec2.limits.subnets, () =>
        refuse('SubnetLimitExceeded', 'The maximum number of subnets has been reached.'),
      )
      const subnet = newSubnet(ec2, {
        vpcId: vpc.id,
        zone,
        cidr: range && formatCidr(range),
        ipv6: range6 && formatCidr(range6),
        ipv6Native: input.Ipv6Native ?? false,
        tags,
      })
      return { Subnet: subnetView(ec2, subnet) }
    },
  ),
  DescribeSubnets: operation<DescribeSubnetsRequest, DescribeSubnetsResult>(
    { SubnetIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'subnets', subnetFields(ec2), {
        ...input,
        ids: input.SubnetIds,
        idsName: 'subnetIds',
        filters: input.Filters,
      })
      return { Subnets: items.map(subnet => subnetView(ec2, subnet)), NextToken: next }
    },
  ),
  DeleteSubnet: operation<DeleteSubnetRequest, object>({ SubnetId: true }, (input, ec2) => {
    const subnet = find(ec2, 'subnets', input.SubnetId)
    if (isSubnetInUse(ec2, subnet)) throw hasDependencies('subnet', subnet.id)
    const { tables } = ec2
    dissociateFromAcls(ec2, subnet.id)
    for (const table of tables.routeTables.by('association.subnet-id', subnet.id)) {
      const associations = table.associations.filter(({ subnetId }) => subnetId !== subnet.id)
      tables.routeTables.put({ ...table, associations })
    }
    for (const { id } of tables.subnetReservations.by('subnet-id', subnet.id)) {
      tables.subnetReservations.remove(id)
    }
    tables.subnets.remove(subnet.id)
    return {}
  }),
}
