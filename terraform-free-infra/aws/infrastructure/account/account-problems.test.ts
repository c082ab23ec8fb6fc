import {
  AssociateDhcpOptionsCommand,
  AssociateVpcCidrBlockCommand,
  CreateDhcpOptionsCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateSecurityGroupCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DescribeVpcsCommand,
  type EC2Client,
  ModifySubnetAttributeCommand,
  ModifyVpcAttributeCommand,
} from '@aws-sdk/client-ec2'
import { CreateFileSystemCommand } from '@aws-sdk/client-efs'
import { describe, expect, test } from 'vitest'
import { formatMilliseconds } from '../../../../shared/clock/clock.ts'
import type { State } from '../../../engine/engine.ts'
import { consistentAfterMs } from '../../account/consistent-after.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import { desiredOf } from '../testing/converge.ts'
import { cluster, judgedAccount, managed } from './testing/judged-account.ts'

const blockOf = async (ec2: EC2Client, vpc: string): Promise<string> => {
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [vpc] }))
  return Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
}

test('a created VPC and created addresses cost no check', async () => {
  const { judge, actions } = await judgedAccount()
  expect(await judge({ vpc: { cidr: '10.250.0.0/16' } })).toEqual([])
  expect(actions()).toEqual([])
})

describe('the user’s VPC', () => {
  test('that meets all needs of a shoot is accepted with five reads', async () => {
    const { judge, actions } = await judgedAccount()
    expect(await judge({})).toEqual([])
    expect(actions().sort()).toEqual([
      'DescribeDhcpOptions',
      'DescribeInternetGateways',
      'DescribeVpcAttribute',
      'DescribeVpcAttribute',
      'DescribeVpcs',
    ])
  })

  test('an unknown profile is refused', async () => {
    const { judge } = await judgedAccount()
    expect(await judge({ vpc: { id: 'vpc-0123' } })).toEqual([
      'networks.vpc.id: expected a VPC of the account in eu-west-1, found no vpc-0123 there',
    ])
  })

  test('must resolve names and assign them to its hosts', async () => {
    const { judge, vpc, ec2 } = await judgedAccount({ names: false })
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId: vpc, EnableDnsSupport: { Value: false } }))
    expect(await judge({})).toEqual([
      `networks.vpc.id: VPC attribute enableDnsSupport must be set to true, found false in ${vpc}`,
      `networks.vpc.id: VPC attribute enableDnsHostnames must be set to true, found false in ${vpc}`,
    ])
  })

  test('needs an IPv6 CIDR if the shoot has IPv6', async () => {
    const without = await judgedAccount()
    expect(await without.judge({}, { ipv6: true })).toEqual([
      `networks.vpc.id: expected a VPC with an associated IPv6 CIDR, found none in ${without.vpc}`,
    ])
    const withBlock = await judgedAccount({ ipv6: true })
    expect(await withBlock.judge({}, { ipv6: true })).toEqual([])
  })

  test('needs an internet gateway only if public subnets are created', async () => {
    const { judge, vpc, subnet } = await judgedAccount({ gateway: false })
    expect(await judge({})).toEqual([
      `networks.vpc.id: expected an internet gateway attached to ${vpc}, which public subnets need; no attached internet gateway found`,
    ])
    const own = { name: 'eu-west-1a', workersSubnetID: await subnet('10.250.0.0/19') }
    expect(await judge({ zones: [own] })).toEqual([])
  })

  test('needs the DHCP options of the region', async () => {
    const { judge, vpc, ec2 } = await judgedAccount()
    const { DhcpOptions } = await ec2.send(
      new CreateDhcpOptionsCommand({
        DhcpConfigurations: [{ Key: 'domain-name', Values: ['example.com'] }],
      }),
    )
    const DhcpOptionsId = String(DhcpOptions?.DhcpOptionsId)
    await ec2.send(new AssociateDhcpOptionsCommand({ VpcId: vpc, DhcpOptionsId }))
    expect(await judge({})).toEqual([
      `networks.vpc.id: expected the domain-name of the DHCP options of ${vpc} to be eu-west-1.compute.internal, found "example.com"`,
      `networks.vpc.id: expected the domain-name-servers of the DHCP options of ${vpc} to be AmazonProvidedDNS, found none`,
    ])
  })

  test('must contain the subnets in any of its CIDRs', async () => {
    const { judge, vpc, ec2 } = await judgedAccount()
    const zones = [{ ...managed, public: '10.251.0.0/22' }]
    expect(await judge({ zones })).toEqual([
      `networks.zones[0].public: expected a CIDR inside a CIDR of ${vpc} (10.250.0.0/16), found 10.251.0.0/22`,
    ])
    await ec2.send(new AssociateVpcCidrBlockCommand({ VpcId: vpc, CidrBlock: '10.251.0.0/16' }))
    expect(await judge({ zones })).toEqual([])
  })

  test('must have room for the missing subnets', async () => {
    const { judge, subnet, vpc, ec2, actions } = await judgedAccount()
    const taken = await subnet('10.250.96.0/24')
    const ours = await subnet('10.250.0.0/20')
    await ec2.send(
      new CreateTagsCommand({ Resources: [ours], Tags: [{ Key: markTag, Value: desiredOf().uid }] }),
    )
    expect(await judge({}, { missing: true })).toEqual([
      `networks.zones[0].public: expected an unused CIDR of ${vpc}, found 10.250.96.0/22, which overlaps with ${taken} (10.250.96.0/24)`,
    ])
    expect(await judge({}, { missing: false })).toEqual([])
    expect(actions()).not.toContain('DescribeSubnets')
  })

  test('must have a tagged subnet if no public one is created', async () => {
    const { judge, vpc, subnet, ec2 } = await judgedAccount()
    const zones = [{ ...managed, public: null }]
    expect(await judge({ zones })).toEqual([
      `networks.zones: expected a public subnet: set the CIDR public of a zone, or tag a subnet of ${vpc} with kubernetes.io/role/elb=1 and ${cluster}=1`,
    ])
    const Tags = [
      { Key: 'kubernetes.io/role/elb', Value: '1' },
      { Key: cluster, Value: 'shared' },
    ]
    await ec2.send(new CreateTagsCommand({ Resources: [await subnet('10.250.200.0/24')], Tags }))
    expect(await judge({ zones })).toEqual([])
  })
})

describe('the user’s subnets', () => {
  const own = (name: string, workersSubnetID: string, more: object = {}) => ({
    name,
    workersSubnetID,
    ...more,
  })

  test('subnets of three zones cost one read', async () => {
    const { judge, subnet, actions } = await judgedAccount()
    const zones = []
    for (const [index, letter] of ['a', 'b', 'c'].entries()) {
      const AvailabilityZone = `eu-west-1${letter}`
      zones.push(
        own(AvailabilityZone, await subnet(`10.250.${index}.0/24`, { AvailabilityZone }), {
          publicSubnetID: await subnet(`10.250.${index + 10}.0/24`, { AvailabilityZone }),
          internalSubnetID: await subnet(`10.250.${index + 20}.0/24`, { AvailabilityZone }),
        }),
      )
    }
    expect(await judge({ zones })).toEqual([])
    expect(actions().filter(action => action === 'DescribeSubnets')).toHaveLength(1)
  })

  test('must exist in the VPC and in their zone', async () => {
    const { judge, subnet, vpc, ec2 } = await judgedAccount()
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
    const elsewhere = await subnet('10.250.0.0/24', { VpcId: String(Vpc?.VpcId) })
    const inB = await subnet('10.250.1.0/24', { AvailabilityZone: 'eu-west-1b' })
    const zones = [own('eu-west-1a', 'subnet-0123', { publicSubnetID: elsewhere, internalSubnetID: inB })]
    expect(await judge({ zones })).toEqual([
      'networks.zones[0].workersSubnetID: expected a subnet of the account in eu-west-1, found no subnet-0123 there',
      `networks.zones[0].publicSubnetID: expected a subnet of ${vpc}, found ${elsewhere}, which is in ${Vpc?.VpcId}`,
      `networks.zones[0].internalSubnetID: expected a subnet in eu-west-1a, found ${inB}, which is in eu-west-1b`,
    ])
  })

  test('for workers must be inside the nodes CIDR of the shoot, except for IPv6', async () => {
    const { judge, subnet } = await judgedAccount()
    const zones = [own('eu-west-1a', await subnet('10.250.0.0/24'))]
    expect(await judge({ zones }, { nodes: '10.250.128.0/17' })).toEqual([
      'networks.zones[0].workersSubnetID: expected a subnet inside the nodes CIDR of the shoot (10.250.128.0/17), found one with the CIDR 10.250.0.0/24',
    ])
    expect(await judge({ zones }, { nodes: '2001:db8::/56' })).toEqual([])
  })

  test('must have one IPv6 CIDR if the shoot has IPv6, and assign its addresses to nodes', async () => {
    const { judge, subnet, vpc, ec2 } = await judgedAccount({ ipv6: true })
    const block = await blockOf(ec2, vpc)
    const bare = await subnet('10.250.0.0/24')
    const workers = await subnet('10.250.1.0/24', { Ipv6CidrBlock: block.replace('/56', '/64') })
    expect(
      await judge({ zones: [own('eu-west-1a', workers, { publicSubnetID: bare })] }, { ipv6: true }),
    ).toEqual([
      `networks.zones[0].workersSubnetID: expected a subnet that assigns nodes an IPv6 address at start. Set AssignIpv6AddressOnCreation of ${workers}`,
      `networks.zones[0].publicSubnetID: expected a subnet with exactly one IPv6 CIDR, found 0 in ${bare}`,
    ])
    await ec2.send(
      new ModifySubnetAttributeCommand({ SubnetId: workers, AssignIpv6AddressOnCreation: { Value: true } }),
    )
    expect(await judge({ zones: [own('eu-west-1a', workers)] }, { ipv6: true })).toEqual([])
  })

  test('for load balancers must have IPv4', async () => {
    const { judge, subnet, vpc, ec2 } = await judgedAccount({ ipv6: true })
    const block = await blockOf(ec2, vpc)
    const workers = await subnet('10.250.1.0/24')
    const native = await subnet(undefined, { Ipv6Native: true, Ipv6CidrBlock: block.replace('/56', '/64') })
    expect(await judge({ zones: [own('eu-west-1a', workers, { internalSubnetID: native })] })).toEqual([
      `networks.zones[0].internalSubnetID: expected a subnet with an IPv4 CIDR, which load balancers need, found ${native} with IPv6 only`,
    ])
  })
})

describe('the user’s security group', () => {
  test('must exist in the VPC', async () => {
    const { judge, vpc, ec2 } = await judgedAccount()
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))
    const group = async (VpcId: string) => {
      const input = { VpcId, GroupName: 'mine', Description: 'mine' }
      return String((await ec2.send(new CreateSecurityGroupCommand(input))).GroupId)
    }
    const elsewhere = await group(String(Vpc?.VpcId))
    expect(await judge({ nodesSecurityGroupID: await group(vpc) })).toEqual([])
    expect(await judge({ nodesSecurityGroupID: 'sg-0123' })).toEqual([
      'networks.nodesSecurityGroupID: expected a security group of the account in eu-west-1, found no sg-0123 there',
    ])
    expect(await judge({ nodesSecurityGroupID: elsewhere })).toEqual([
      `networks.nodesSecurityGroupID: expected a security group of ${vpc}, found ${elsewhere}, which is in ${Vpc?.VpcId}`,
    ])
  })
})

describe('resources that a shoot needs and does not create', () => {
  test('an egress-only gateway of the user’s VPC is missing before anything is created', async () => {
    const { judge, vpc, ec2, actions } = await judgedAccount({ ipv6: true })
    const options = { ipv6: true, ipFamilies: ['IPv4', 'IPv6'] } as const
    expect(await judge({}, options)).toEqual([
      `networks.vpc.id: expected an egress-only internet gateway attached to ${vpc}, which nodes with IPv6 need, found none. Create one for this VPC`,
    ])
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.9.0.0/16' }))
    await ec2.send(new CreateEgressOnlyInternetGatewayCommand({ VpcId: Vpc?.VpcId }))
    expect(await judge({}, options)).toHaveLength(1)
    await ec2.send(new CreateEgressOnlyInternetGatewayCommand({ VpcId: vpc }))
    expect(await judge({}, options)).toEqual([])
    // The plan reads it, too.
    expect(actions().filter(action => action.includes('EgressOnly'))).toHaveLength(1)
    expect(await judge({}, { ipv6: true })).toEqual([])
    expect(actions()).not.toContain('DescribeEgressOnlyInternetGateways')
  })

  test('an internet gateway is missing for created subnets, and not for those of the user', async () => {
    const { judge, subnet } = await judgedAccount({ gateway: false })
    const [first = ''] = await judge({})
    expect(first).toContain('expected an internet gateway attached to')
    const workersSubnetID = await subnet('10.250.0.0/19')
    expect(await judge({ zones: [{ name: 'eu-west-1a', workersSubnetID }] })).toEqual([])
  })

  test('a file system of the user is missing or in deletion', async () => {
    const { judge, efs, actions } = await judgedAccount()
    const judgeId = (id: string, state: State = {}) => judge({}, { fileSystem: { id }, state })
    expect(await judgeId('fs-0123456789abcdef0')).toEqual([
      'elasticFileSystem.id: expected an EFS file system of the account in eu-west-1, found no fs-0123456789abcdef0 there',
    ])
    const { FileSystemId = '' } = await efs.send(new CreateFileSystemCommand({ CreationToken: 'mine' }))
    expect(await judgeId(FileSystemId)).toEqual([])
    expect(actions()).toContain('DescribeFileSystems')
    expect(
      await judgeId(FileSystemId, { [`efsMountTargets/${FileSystemId}_subnet-1_sg-1`]: 'fsmt-1' }),
    ).toEqual([])
    expect(actions()).not.toContain('DescribeFileSystems')
  })
})

describe('a range of a subnet that is to be created', () => {
  const cidrOf = (vpc: string, id: string) =>
    `networks.zones[0].public: expected an unused CIDR of ${vpc}, found 10.250.96.0/22, which overlaps with ${id} (10.250.97.0/24)`

  test('is refused in a VPC of the shoot, too, if a subnet of another owner has it', async () => {
    const { judge, subnet, vpc, ec2, actions } = await judgedAccount()
    await ec2.send(new CreateTagsCommand({ Resources: [vpc], Tags: [{ Key: cluster, Value: 'owned' }] }))
    const id = await subnet('10.250.97.0/24')
    const managedVpc = { vpc: { cidr: '10.250.0.0/16' } }
    const options = { missing: true, state: { VPC: vpc } }
    expect(await judge(managedVpc, options)).toEqual([cidrOf(vpc, id)])
    expect(actions().toSorted()).toEqual(['DescribeSubnets', 'DescribeVpcs'])
    expect(await judge(managedVpc, { ...options, missing: false })).toEqual([])
    // A new shoot has no VPC to read.
    expect(await judge(managedVpc, { missing: true })).toEqual([])
  })

  test('is free once the subnet of the shoot that had it is deleted, although AWS still lists that', async () => {
    const { judge, subnet, vpc } = await judgedAccount()
    const id = await subnet('10.250.97.0/24')
    const zones = { zones: [managed] }
    const state = { VPC: vpc, [`Deleted/subnet/${id}`]: formatMilliseconds(0) }
    expect(await judge(zones, { missing: true, state, now: consistentAfterMs - 1 })).toEqual([])
    expect(await judge(zones, { missing: true, state, now: consistentAfterMs })).toEqual([cidrOf(vpc, id)])
  })
})
