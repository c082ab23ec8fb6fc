import {
  AllocateAddressCommand,
  AssociateDhcpOptionsCommand,
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateDhcpOptionsCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  CreateVpcEndpointCommand,
  type EC2Client,
  ImportKeyPairCommand,
  ModifyVpcAttributeCommand,
  type ResourceType,
} from '@aws-sdk/client-ec2'

const region = 'eu-west-1'
const zones = ['a', 'b', 'c'].map(letter => `${region}${letter}`)
const sshKey = `ssh-ed25519 ${Buffer.concat([
  Buffer.from([0, 0, 0, 11]),
  Buffer.from('ssh-ed25519'),
  Buffer.from([0, 0, 0, 32]),
  Buffer.alloc(32, 7),
]).toString('base64')}`

/**
 * Creates the network of a shoot in three zones, with everything that Gardener's Infrastructure has: options, gateway,
 * nine subnets, four route tables, three NAT gateways with addresses, a security group, an endpoint and a key pair.
 * Returns the id of its VPC.
 */
export const makeShootNetwork = async (ec2: EC2Client, name: string): Promise<string> => {
  const tags = (type: ResourceType, suffix = '') => ({
    TagSpecifications: [
      {
        ResourceType: type,
        Tags: [
          { Key: 'Name', Value: `${name}${suffix}` },
          { Key: `kubernetes.io/cluster/${name}`, Value: '1' },
        ],
      },
    ],
  })
  const { DhcpOptions } = await ec2.send(
    new CreateDhcpOptionsCommand({
      DhcpConfigurations: [
        { Key: 'domain-name', Values: [`${region}.compute.internal`] },
        { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
      ],
      ...tags('dhcp-options'),
    }),
  )
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', ...tags('vpc') }))
  const VpcId = Vpc?.VpcId
  const DhcpOptionsId = DhcpOptions?.DhcpOptionsId
  await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsHostnames: { Value: true } }))
  await ec2.send(new AssociateDhcpOptionsCommand({ VpcId, DhcpOptionsId }))
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand(tags('internet-gateway')))
  const GatewayId = InternetGateway?.InternetGatewayId
  await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId: GatewayId }))
  const routeTable = async (suffix: string) => {
    const made = await ec2.send(new CreateRouteTableCommand({ VpcId, ...tags('route-table', suffix) }))
    return made.RouteTable?.RouteTableId
  }
  const main = await routeTable('-main')
  const everywhere = '0.0.0.0/0'
  await ec2.send(new CreateRouteCommand({ RouteTableId: main, DestinationCidrBlock: everywhere, GatewayId }))
  const group = await ec2.send(
    new CreateSecurityGroupCommand({
      VpcId,
      GroupName: `${name}-nodes`,
      Description: 'Security group for nodes',
      ...tags('security-group', '-nodes'),
    }),
  )
  const range = (ToPort: number, IpProtocol: string) => ({
    IpProtocol,
    FromPort: 30_000,
    ToPort,
    IpRanges: [{ CidrIp: everywhere }],
  })
  await ec2.send(
    new AuthorizeSecurityGroupIngressCommand({
      GroupId: group.GroupId,
      IpPermissions: [
        { IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: group.GroupId }] },
        range(32_767, 'tcp'),
        range(32_767, 'udp'),
      ],
    }),
  )
  await ec2.send(
    new ImportKeyPairCommand({ KeyName: `${name}-ssh-publickey`, PublicKeyMaterial: Buffer.from(sshKey) }),
  )
  const tables = [main]
  for (const [index, AvailabilityZone] of zones.entries()) {
    const subnet = async (kind: string, offset: number) => {
      const CidrBlock = `10.250.${index * 64 + offset}.0/24`
      const suffix = `-${kind}-z${index}`
      const made = await ec2.send(
        new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone, ...tags('subnet', suffix) }),
      )
      return made.Subnet?.SubnetId
    }
    const [nodes, publicOne, privateOne] = [
      await subnet('nodes', 0),
      await subnet('public-utility', 32),
      await subnet('private-utility', 48),
    ]
    const { AllocationId } = await ec2.send(
      new AllocateAddressCommand({ Domain: 'vpc', ...tags('elastic-ip', `-eip-natgw-z${index}`) }),
    )
    const { NatGateway } = await ec2.send(
      new CreateNatGatewayCommand({
        SubnetId: publicOne,
        AllocationId,
        ...tags('natgateway', `-natgw-z${index}`),
      }),
    )
    const own = await routeTable(`-private-${zones[index]}`)
    tables.push(own)
    await ec2.send(
      new CreateRouteCommand({
        RouteTableId: own,
        DestinationCidrBlock: everywhere,
        NatGatewayId: NatGateway?.NatGatewayId,
      }),
    )
    await ec2.send(new AssociateRouteTableCommand({ RouteTableId: main, SubnetId: publicOne }))
    for (const SubnetId of [privateOne, nodes]) {
      await ec2.send(new AssociateRouteTableCommand({ RouteTableId: own, SubnetId }))
    }
  }
  await ec2.send(
    new CreateVpcEndpointCommand({
      VpcId,
      VpcEndpointType: 'Gateway',
      ServiceName: `com.amazonaws.${region}.s3`,
      RouteTableIds: tables.flatMap(table => table ?? []),
      ...tags('vpc-endpoint', '-gw-s3'),
    }),
  )
  if (VpcId === undefined) throw new Error('EC2 made a VPC without an id')
  return VpcId
}
