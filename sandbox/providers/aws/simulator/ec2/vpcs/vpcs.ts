import type {
  CreateVpcRequest,
  CreateVpcResult,
  DeleteVpcRequest,
  DescribeVpcAttributeRequest,
  DescribeVpcAttributeResult,
  DescribeVpcsRequest,
  DescribeVpcsResult,
  ModifyVpcAttributeRequest,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { formatCidr } from '../core/cidrs/cidr.ts'
import { allocateIpv6, requireCidr } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows, lookUp } from '../core/describe/list.ts'
import {
  checkLimit,
  hasDependencies,
  invalidCombination,
  invalidParameter,
  missingParameter,
} from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { Vpc } from '../rows/network.ts'
import { newTags } from '../tags/tag-rules.ts'
import { newVpc } from './new-vpc.ts'
import { vpcFields, vpcView } from './view.ts'

/** From /16 to /28 ("VPC CIDR blocks", VPC user guide). */
export const vpcRange = (text: string | undefined) => {
  const cidr = requireCidr(text, 4, 'cidrBlock')
  if (cidr.prefix < 16 || cidr.prefix > 28) throw refuse('InvalidVpc.Range', `The CIDR '${text}' is invalid.`)
  return cidr
}

/** Returns true if the VPC cannot be deleted because it has resources other than AWS's defaults. */
const hasContents = ({ tables }: Ec2, { id }: Vpc): boolean =>
  tables.subnets.by('vpc-id', id).length > 0 ||
  tables.internetGateways.by('attachment.vpc-id', id).length > 0 ||
  tables.egressOnlyGateways.by('vpc-id', id).length > 0 ||
  tables.vpnGateways.by('attachment.vpc-id', id).length > 0 ||
  tables.networkInterfaces.by('vpc-id', id).length > 0 ||
  tables.securityGroups.by('vpc-id', id).some(({ name }) => name !== 'default') ||
  tables.networkAcls.by('vpc-id', id).some(({ isDefault }) => !isDefault) ||
  tables.vpcEndpoints.by('vpc-id', id).length > 0 ||
  tables.routeTables
    .by('vpc-id', id)
    .some(({ associations }) => associations.every(({ subnetId }) => subnetId !== undefined))

const attributes = {
  enableDnsSupport: 'EnableDnsSupport',
  enableDnsHostnames: 'EnableDnsHostnames',
  enableNetworkAddressUsageMetrics: 'EnableNetworkAddressUsageMetrics',
} as const

export const vpcOperations = {
  CreateVpc: operation<CreateVpcRequest, CreateVpcResult>(
    {
      CidrBlock: true,
      InstanceTenancy: true,
      AmazonProvidedIpv6CidrBlock: true,
      Ipv6IpamPoolId: true,
      Ipv6NetmaskLength: true,
      Ipv6CidrBlock: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      if (input.CidrBlock === undefined) throw missingParameter('cidrBlock')
      const cidr = vpcRange(input.CidrBlock)
      const tenancy = input.InstanceTenancy ?? 'default'
      if (tenancy === 'host')
        throw refuse('UnsupportedTenancy', `The tenancy value ${tenancy} is not supported.`)
      if (input.AmazonProvidedIpv6CidrBlock && input.Ipv6IpamPoolId !== undefined) {
        throw invalidCombination(
          'Only one of amazonProvidedIpv6CidrBlock and ipv6IpamPoolId can be specified.',
        )
      }
      const tags = newTags(input.TagSpecifications, 'vpc')
      checkLimit(ec2.tables.vpcs.size, ec2.limits.vpcs, () =>
        refuse('VpcLimitExceeded', 'The maximum number of VPCs has been reached.'),
      )
      const ipv6 = allocateIpv6(ec2, input, ec2.now)
      return { Vpc: vpcView(ec2, newVpc(ec2, { cidr: formatCidr(cidr), tenancy, tags, ipv6 })) }
    },
  ),
  DescribeVpcs: operation<DescribeVpcsRequest, DescribeVpcsResult>(
    { VpcIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'vpcs', vpcFields(ec2), {
        ...input,
        ids: input.VpcIds,
        idsName: 'vpcIds',
        filters: input.Filters,
      })
      return { Vpcs: items.map(vpc => vpcView(ec2, vpc)), NextToken: next }
    },
  ),
  DeleteVpc: operation<DeleteVpcRequest, object>({ VpcId: true }, (input, ec2) => {
    const vpc = find(ec2, 'vpcs', input.VpcId)
    if (hasContents(ec2, vpc)) throw hasDependencies('vpc', vpc.id)
    const { tables } = ec2
    for (const table of tables.routeTables.by('vpc-id', vpc.id)) tables.routeTables.remove(table.id)
    for (const acl of tables.networkAcls.by('vpc-id', vpc.id)) tables.networkAcls.remove(acl.id)
    for (const group of tables.securityGroups.by('vpc-id', vpc.id)) tables.securityGroups.remove(group.id)
    tables.vpcs.remove(vpc.id)
    return {}
  }),
  DescribeVpcAttribute: operation<DescribeVpcAttributeRequest, DescribeVpcAttributeResult>(
    { VpcId: true, Attribute: true },
    (input, ec2) => {
      const vpc = lookUp(ec2, 'vpcs', input.VpcId)
      const attribute = input.Attribute
      if (attribute === undefined || !Object.hasOwn(attributes, attribute)) {
        throw invalidParameter('attribute', attribute, 'Unknown attribute.')
      }
      const values = {
        enableDnsSupport: vpc.dnsSupport,
        enableDnsHostnames: vpc.dnsHostnames,
        enableNetworkAddressUsageMetrics: vpc.addressUsageMetrics,
      }
      return { VpcId: vpc.id, [attributes[attribute]]: { Value: values[attribute] } }
    },
  ),
  ModifyVpcAttribute: operation<ModifyVpcAttributeRequest, object>(
    {
      VpcId: true,
      EnableDnsSupport: true,
      EnableDnsHostnames: true,
      EnableNetworkAddressUsageMetrics: true,
    },
    (input, ec2) => {
      const vpc = find(ec2, 'vpcs', input.VpcId)
      const given = [
        input.EnableDnsSupport,
        input.EnableDnsHostnames,
        input.EnableNetworkAddressUsageMetrics,
      ].filter(value => value !== undefined)
      if (given.length > 1) throw invalidCombination('Fields for multiple attribute types specified')
      if (given[0]?.Value === undefined) throw missingParameter('attribute')
      const dnsSupport = input.EnableDnsSupport?.Value ?? vpc.dnsSupport
      const dnsHostnames = input.EnableDnsHostnames?.Value ?? vpc.dnsHostnames
      if (dnsHostnames && !dnsSupport) {
        throw refuse(
          'InvalidParameter',
          'Cannot have DNS hostnames enabled for a VPC in which DNS support is disabled.',
        )
      }
      ec2.tables.vpcs.put({
        ...vpc,
        dnsSupport,
        dnsHostnames,
        addressUsageMetrics: input.EnableNetworkAddressUsageMetrics?.Value ?? vpc.addressUsageMetrics,
      })
      return {}
    },
  ),
}
