import {
  AllocateAddressCommand,
  AssociateDhcpOptionsCommand,
  AssociateVpcCidrBlockCommand,
  AttachInternetGatewayCommand,
  CreateDhcpOptionsCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  type CreateSubnetCommandInput,
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteNatGatewayCommand,
  DescribeVpcsCommand,
  EC2Client,
  ModifySubnetAttributeCommand,
  ModifyVpcAttributeCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { clientSettings as operatorSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { reader, type State } from '../../../engine/engine.ts'
import { clientSettings } from '../../account/client/client.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import { sdkCloud } from '../cloud.ts'
import { apiVersion, decodeConfig } from '../config/config.ts'
import { networkReads } from '../network/reads.ts'
import { desiredOf } from '../testing/converge.ts'
import { accountProblems } from './account-problems.ts'

const clusterName = 'shoot--foo--bar'
const cluster = `kubernetes.io/cluster/${clusterName}`

/** An account with a VPC that meets all needs of a shoot, unless a test overrides them. */
const setUp = async ({ ipv6 = false, gateway = true, names = true } = {}) => {
  const aws = shuffledAws({ ec2: { durations: { scale: 0 } } })
  const ec2 = new EC2Client(operatorSettings(aws))
  const { Vpc } = await ec2.send(
    new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', AmazonProvidedIpv6CidrBlock: ipv6 }),
  )
  const vpc = String(Vpc?.VpcId)
  if (names) {
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId: vpc, EnableDnsHostnames: { Value: true } }))
  }
  if (gateway) {
    const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
    const InternetGatewayId = String(InternetGateway?.InternetGatewayId)
    await ec2.send(new AttachInternetGatewayCommand({ VpcId: vpc, InternetGatewayId }))
  }
  const subnet = async (cidr: string | undefined, more: Partial<CreateSubnetCommandInput> = {}) => {
    const range = cidr === undefined ? {} : { CidrBlock: cidr }
    const input = { VpcId: vpc, ...range, AvailabilityZone: 'eu-west-1a', ...more }
    return String((await ec2.send(new CreateSubnetCommand(input))).Subnet?.SubnetId)
  }
  const address = async () =>
    String((await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId)
  const judge = async (
    networks: object,
    options: { ipv6?: boolean; nodes?: string; rest?: object; missing?: boolean; state?: State } = {},
  ) => {
    aws.calls.clear()
    const decoded = decodeConfig({
      apiVersion,
      kind: 'InfrastructureConfig',
      networks: { vpc: { id: vpc }, zones: [managed], ...networks },
      ...options.rest,
    })
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems))
    const signal = new AbortController().signal
    const settings = clientSettings({ requestHandler: aws.requestHandler }, 'eu-west-1', {
      accessKeyId: 'AKIATEST',
      secretAccessKey: 'secret',
    })
    const throwIfExpired = () => {
      throw new Error('a validation writes nothing')
    }
    const cloud = sdkCloud(settings, { throwIfExpired, signal, secrets: [] })
    const { state = {}, ipv6 = false } = options
    const { id } = decoded.config.networks.vpc
    const desired = desiredOf({
      clusterName,
      ...(id !== undefined && { vpc: { kind: 'existing', id, ipv6 } }),
    })
    const problems = await accountProblems({
      cloud,
      signal,
      reads: networkReads(desired),
      read: reader({ cloud, state, signal }),
      state,
      config: decoded.config,
      clusterName,
      desired,
      ipv6,
      nodes: options.nodes ?? '10.250.0.0/16',
      isMissing: () => options.missing ?? false,
    })
    return problems.map(({ path, message }) => `${path}: ${message}`)
  }
  const actions = () => aws.calls.all().map(({ action }) => action)
  return { ec2, vpc, subnet, address, judge, actions }
}

const managed = {
  name: 'eu-west-1a',
  workers: '10.250.0.0/19',
  internal: '10.250.112.0/22',
  public: '10.250.96.0/22',
}

const blockOf = async (ec2: EC2Client, vpc: string): Promise<string> => {
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [vpc] }))
  return Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
}

test('a created VPC and created addresses cost no check', async () => {
  const { judge, actions } = await setUp()
  expect(await judge({ vpc: { cidr: '10.250.0.0/16' } })).toEqual([])
  expect(actions()).toEqual([])
})

describe('the user’s VPC', () => {
  test('that meets all needs of a shoot is accepted with five reads', async () => {
    const { judge, actions } = await setUp()
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
    const { judge } = await setUp()
    expect(await judge({ vpc: { id: 'vpc-0123' } })).toEqual([
      'networks.vpc.id: expected a VPC of the account in eu-west-1, found no vpc-0123 there',
    ])
  })

  test('must resolve names and assign them to its hosts', async () => {
    const { judge, vpc, ec2 } = await setUp({ names: false })
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId: vpc, EnableDnsSupport: { Value: false } }))
    expect(await judge({})).toEqual([
      `networks.vpc.id: VPC attribute enableDnsSupport must be set to true, found false in ${vpc}`,
      `networks.vpc.id: VPC attribute enableDnsHostnames must be set to true, found false in ${vpc}`,
    ])
  })

  test('needs an IPv6 CIDR if the shoot has IPv6', async () => {
    const without = await setUp()
    expect(await without.judge({}, { ipv6: true })).toEqual([
      `networks.vpc.id: expected a VPC with an associated IPv6 CIDR, found none in ${without.vpc}`,
    ])
    const withBlock = await setUp({ ipv6: true })
    expect(await withBlock.judge({}, { ipv6: true })).toEqual([])
  })

  test('needs an internet gateway only if public subnets are created', async () => {
    const { judge, vpc, subnet } = await setUp({ gateway: false })
    expect(await judge({})).toEqual([
      `networks.vpc.id: expected an internet gateway attached to ${vpc}, which public subnets need; no attached internet gateway found`,
    ])
    const own = { name: 'eu-west-1a', workersSubnetID: await subnet('10.250.0.0/19') }
    expect(await judge({ zones: [own] })).toEqual([])
  })

  test('needs the DHCP options of the region', async () => {
    const { judge, vpc, ec2 } = await setUp()
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
    const { judge, vpc, ec2 } = await setUp()
    const zones = [{ ...managed, public: '10.251.0.0/22' }]
    expect(await judge({ zones })).toEqual([
      `networks.zones[0].public: expected a CIDR inside a CIDR of ${vpc} (10.250.0.0/16), found 10.251.0.0/22`,
    ])
    await ec2.send(new AssociateVpcCidrBlockCommand({ VpcId: vpc, CidrBlock: '10.251.0.0/16' }))
    expect(await judge({ zones })).toEqual([])
  })

  test('must have room for the missing subnets', async () => {
    const { judge, subnet, vpc, ec2, actions } = await setUp()
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
    const { judge, vpc, subnet, ec2 } = await setUp()
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
    const { judge, subnet, actions } = await setUp()
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
    const { judge, subnet, vpc, ec2 } = await setUp()
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
    const { judge, subnet } = await setUp()
    const zones = [own('eu-west-1a', await subnet('10.250.0.0/24'))]
    expect(await judge({ zones }, { nodes: '10.250.128.0/17' })).toEqual([
      'networks.zones[0].workersSubnetID: expected a subnet inside the nodes CIDR of the shoot (10.250.128.0/17), found one with the CIDR 10.250.0.0/24',
    ])
    expect(await judge({ zones }, { nodes: '2001:db8::/56' })).toEqual([])
  })

  test('must have one IPv6 CIDR if the shoot has IPv6, and assign its addresses to nodes', async () => {
    const { judge, subnet, vpc, ec2 } = await setUp({ ipv6: true })
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
    const { judge, subnet, vpc, ec2 } = await setUp({ ipv6: true })
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
    const { judge, vpc, ec2 } = await setUp()
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

describe('the user’s addresses', () => {
  const zones = (id: string) => ({
    vpc: { cidr: '10.250.0.0/16' },
    zones: [{ ...managed, elasticIPAllocationID: id }],
  })

  test('that are free cost one read besides that of the VPC', async () => {
    const { judge, address, actions } = await setUp()
    expect(await judge(zones(await address()))).toEqual([])
    expect(actions()).toEqual(['DescribeVpcs', 'DescribeAddresses'])
  })

  test('an unknown profile is refused', async () => {
    const { judge } = await setUp()
    expect(await judge(zones('eipalloc-0123'))).toEqual([
      'networks.zones[0].elasticIPAllocationID: expected an elastic IP address of the account in eu-west-1, found no eipalloc-0123 there',
    ])
  })

  describe('in use', () => {
    const inUse = async () => {
      const account = await setUp()
      const { address, subnet, judge, vpc, ec2 } = account
      await ec2.send(new CreateTagsCommand({ Resources: [vpc], Tags: [{ Key: cluster, Value: 'owned' }] }))
      const SubnetId = await subnet('10.250.96.0/22')
      const use = async (key: string) => {
        const AllocationId = await address()
        const TagSpecifications = [
          { ResourceType: 'natgateway' as const, Tags: [{ Key: key, Value: 'owned' }] },
        ]
        const { NatGateway } = await ec2.send(
          new CreateNatGatewayCommand({ SubnetId, AllocationId, TagSpecifications }),
        )
        return { AllocationId, NatGatewayId: String(NatGateway?.NatGatewayId) }
      }
      return {
        ...account,
        use,
        judge: (id: string, state: State = {}) => judge(zones(id), { state: { VPC: vpc, ...state } }),
      }
    }
    const taken = (id: string) => [
      `networks.zones[0].elasticIPAllocationID: expected an unused elastic IP address, found ${id}, which is associated, but not with a NAT gateway of this shoot`,
    ]

    test('by a NAT gateway of the shoot cost no reads besides those of the plan', async () => {
      const { judge, use, actions } = await inUse()
      const { AllocationId } = await use(cluster)
      expect(await judge(AllocationId)).toEqual([])
      expect(actions().toSorted()).toEqual(['DescribeNatGateways', 'DescribeVpcs'])
    })

    test('by the gateway in the state still belong to the shoot after its tag is removed', async () => {
      const { judge, use } = await inUse()
      const { AllocationId, NatGatewayId } = await use('somebody')
      expect(await judge(AllocationId, { 'Zones/eu-west-1a/NATGateway': NatGatewayId })).toEqual([])
    })

    test('by a gateway in deletion still belong to the shoot', async () => {
      const { judge, use, ec2 } = await inUse()
      const { AllocationId, NatGatewayId } = await use(cluster)
      await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId }))
      expect(await judge(AllocationId)).toEqual([])
    })

    test('addresses in any other use are refused', async () => {
      const { judge, use } = await inUse()
      const { AllocationId } = await use('kubernetes.io/cluster/another')
      expect(await judge(AllocationId)).toEqual(taken(AllocationId))
    })
  })
})
