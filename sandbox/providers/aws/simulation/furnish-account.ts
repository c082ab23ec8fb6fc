import * as ec2 from '@aws-sdk/client-ec2'
import { namesakeOf, namesakeTags, type PersonSettings } from './namesake.ts'

/** The resources that a user creates for a shoot, and then names in its config. */
export interface UserResources {
  /** A VPC in which the shoot's network is created. A shoot of another landscape with the same name is in it, too. */
  readonly vpc: string
  /** A VPC with subnets for the shoot, by zone, with IPv6 and reserved ranges. Another cluster uses them, too. */
  readonly own: {
    readonly vpc: string
    /** A security group for the nodes, with the tag that the controllers in the shoot need. */
    readonly group: string
    readonly zones: Readonly<
      Record<string, { readonly workers: string; readonly public: string; readonly internal: string }>
    >
  }
  /** Allocated addresses. */
  readonly addresses: readonly string[]
}

/** Creates the resources of a user, and a network of another landscape's shoot with the same name and the same tags. */
export const furnishAccount = async (settings: PersonSettings, cluster: string): Promise<UserResources> => {
  const client = new ec2.EC2Client(settings)
  const vpc = await newVpc(client)
  // One VPC has room for one group of the nodes' name.
  await namesakeOf(settings, cluster).network(vpc, ['10.250.64.0/19', '10.250.104.0/22', '10.250.120.0/22'])
  const ownVpc = await newVpc(client)
  const { GroupId: group = '' } = await client.send(
    new ec2.CreateSecurityGroupCommand({
      GroupName: 'nodes-of-a-user',
      Description: 'of a user',
      VpcId: ownVpc,
      TagSpecifications: [{ ResourceType: 'security-group', Tags: namesakeTags(cluster) }],
    }),
  )
  const block = await addIpv6Block(client, ownVpc)
  await client.send(new ec2.CreateEgressOnlyInternetGatewayCommand({ VpcId: ownVpc }))
  const shared = [{ Key: `kubernetes.io/cluster/${cluster}-sharing`, Value: 'shared' }]
  const zones: [string, { workers: string; public: string; internal: string }][] = []
  for (const [index, letter] of ['a', 'b'].entries()) {
    const subnet = (cidr: string, number: number, Tags: ec2.Tag[] = []) =>
      newSubnet(client, {
        VpcId: ownVpc,
        CidrBlock: cidr,
        Ipv6CidrBlock: withNumber(block, index * 3 + number),
        AvailabilityZone: `eu-west-1${letter}`,
        ...(Tags.length > 0 && { TagSpecifications: [{ ResourceType: 'subnet', Tags }] }),
      })
    const workers = await subnet(`10.250.${index * 32}.0/19`, 0)
    await client.send(
      new ec2.ModifySubnetAttributeCommand({
        SubnetId: workers,
        AssignIpv6AddressOnCreation: { Value: true },
      }),
    )
    const utility = await subnet(`10.250.${96 + index * 4}.0/22`, 1, shared)
    zones.push([
      `eu-west-1${letter}`,
      { workers, public: utility, internal: await subnet(`10.250.${112 + index * 4}.0/22`, 2, shared) },
    ])
    for (const Cidr of [
      withNumber(block, index * 3).replace('::/64', ':f000::/80'),
      `10.250.${index * 32 + 31}.240/28`,
    ])
      await client.send(
        new ec2.CreateSubnetCidrReservationCommand({ SubnetId: workers, Cidr, ReservationType: 'explicit' }),
      )
    await addTaggedGateway({ client, subnet: utility, cluster })
  }
  return {
    vpc,
    own: { vpc: ownVpc, group, zones: Object.fromEntries(zones) },
    addresses: [await newAddress(client), await newAddress(client)],
  }
}

const newAddress = async (client: ec2.EC2Client): Promise<string> =>
  (await client.send(new ec2.AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId ?? ''

/** A VPC as a shoot needs it: with DNS, DHCP options of the region, and an internet gateway. */
const newVpc = async (client: ec2.EC2Client): Promise<string> => {
  const { Vpc } = await client.send(new ec2.CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
  const VpcId = Vpc?.VpcId ?? ''
  for (const name of ['EnableDnsSupport', 'EnableDnsHostnames'])
    await client.send(new ec2.ModifyVpcAttributeCommand({ VpcId, [name]: { Value: true } }))
  const { DhcpOptions } = await client.send(
    new ec2.CreateDhcpOptionsCommand({
      DhcpConfigurations: [
        { Key: 'domain-name', Values: ['eu-west-1.compute.internal'] },
        { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
      ],
    }),
  )
  await client.send(new ec2.AssociateDhcpOptionsCommand({ VpcId, DhcpOptionsId: DhcpOptions?.DhcpOptionsId }))
  const { InternetGateway } = await client.send(new ec2.CreateInternetGatewayCommand({}))
  const { InternetGatewayId } = InternetGateway ?? {}
  await client.send(new ec2.AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  return VpcId
}

const newSubnet = async (client: ec2.EC2Client, input: ec2.CreateSubnetCommandInput): Promise<string> => {
  const { Subnet } = await client.send(new ec2.CreateSubnetCommand(input))
  return Subnet?.SubnetId ?? ''
}

/** Returns the block: `2001:db8:1:100::/56`. */
const addIpv6Block = async (client: ec2.EC2Client, VpcId: string): Promise<string> => {
  await client.send(new ec2.AssociateVpcCidrBlockCommand({ VpcId, AmazonProvidedIpv6CidrBlock: true }))
  const { Vpcs: [vpc] = [] } = await client.send(new ec2.DescribeVpcsCommand({ VpcIds: [VpcId] }))
  return vpc?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
}

/** Returns a block of a subnet: `2001:db8:1:105::/64`. */
const withNumber = (block: string, number: number): string => {
  const groups = block.slice(0, block.indexOf('::')).split(':')
  const fourth = Number.parseInt(groups[3] ?? '0', 16) + number
  return `${groups.slice(0, 3).join(':')}:${fourth.toString(16)}::/64`
}

/** A user's NAT gateway with the tag of a cluster: its address is among those of the cluster. */
export const addTaggedGateway = async ({
  client,
  subnet: SubnetId,
  cluster,
}: {
  readonly client: ec2.EC2Client
  readonly subnet: string
  readonly cluster: string
}): Promise<void> => {
  const AllocationId = await newAddress(client)
  const Tags = [{ Key: `kubernetes.io/cluster/${cluster}`, Value: 'shared' }]
  await client.send(
    new ec2.CreateNatGatewayCommand({
      SubnetId,
      AllocationId,
      TagSpecifications: [{ ResourceType: 'natgateway', Tags }],
    }),
  )
}
