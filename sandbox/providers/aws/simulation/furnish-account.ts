import * as ec2 from '@aws-sdk/client-ec2'
import { namesakeOf, type PersonSettings } from './namesake.ts'

/** The resources that a user creates for a shoot, and then names in its config. */
export interface UserResources {
  /** A VPC in which the shoot's network is created. A shoot of another landscape with the same name is in it, too. */
  readonly vpc: string
  /** A VPC with subnets for the shoot, by zone. */
  readonly own: {
    readonly vpc: string
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
  const zones = ['a', 'b'].map(async (letter, index) => {
    const subnet = (cidr: string) => newSubnet(client, ownVpc, cidr, `eu-west-1${letter}`)
    return [
      `eu-west-1${letter}`,
      {
        workers: await subnet(`10.250.${index * 32}.0/19`),
        public: await subnet(`10.250.${96 + index * 4}.0/22`),
        internal: await subnet(`10.250.${112 + index * 4}.0/22`),
      },
    ] as const
  })
  return {
    vpc,
    own: { vpc: ownVpc, zones: Object.fromEntries(await Promise.all(zones)) },
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

const newSubnet = async (
  client: ec2.EC2Client,
  VpcId: string,
  CidrBlock: string,
  AvailabilityZone: string,
): Promise<string> => {
  const { Subnet } = await client.send(new ec2.CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone }))
  return Subnet?.SubnetId ?? ''
}
