import {
  AllocateAddressCommand,
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  type CreateVpcCommandInput,
  EC2Client,
  type ResourceType,
  type TagSpecification,
} from '@aws-sdk/client-ec2'
import type { Aws } from '../../aws-interface.ts'
import { type ClientOptions, clientSettings } from '../../testing/clients.ts'

/** Returns a real SDK client for the simulator. */
export const ec2ClientOf = (aws: Aws, options: ClientOptions = {}): EC2Client =>
  new EC2Client(clientSettings(aws, options))

/** Returns the tag specification that names a resource. */
export const named = (type: ResourceType, name: string): TagSpecification[] => [
  { ResourceType: type, Tags: [{ Key: 'Name', Value: name }] },
]

const present = (value: string | undefined): string => {
  if (value === undefined) throw new Error('the answer lacks an id')
  return value
}

export const newVpc = async (
  client: EC2Client,
  input: CreateVpcCommandInput = { CidrBlock: '10.0.0.0/16' },
): Promise<string> => present((await client.send(new CreateVpcCommand(input))).Vpc?.VpcId)

export const newSubnet = async (
  client: EC2Client,
  VpcId: string,
  CidrBlock = '10.0.0.0/24',
  AvailabilityZone = 'eu-west-1a',
): Promise<string> => {
  const { Subnet } = await client.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone }))
  return present(Subnet?.SubnetId)
}

export const newInternetGateway = async (client: EC2Client, vpcId?: string): Promise<string> => {
  const { InternetGateway } = await client.send(new CreateInternetGatewayCommand({}))
  const id = present(InternetGateway?.InternetGatewayId)
  if (vpcId !== undefined) {
    await client.send(new AttachInternetGatewayCommand({ InternetGatewayId: id, VpcId: vpcId }))
  }
  return id
}

export const newAddress = async (client: EC2Client): Promise<string> =>
  present((await client.send(new AllocateAddressCommand({ Domain: 'vpc' }))).AllocationId)

export const newNatGateway = async (
  client: EC2Client,
  SubnetId: string,
  AllocationId: string,
): Promise<string> => {
  const { NatGateway } = await client.send(new CreateNatGatewayCommand({ SubnetId, AllocationId }))
  return present(NatGateway?.NatGatewayId)
}

export const newRouteTable = async (client: EC2Client, VpcId: string): Promise<string> =>
  present((await client.send(new CreateRouteTableCommand({ VpcId }))).RouteTable?.RouteTableId)

export const newGroup = async (client: EC2Client, VpcId: string, GroupName = 'nodes'): Promise<string> => {
  const input = { VpcId, GroupName, Description: 'Security group for nodes' }
  return present((await client.send(new CreateSecurityGroupCommand(input))).GroupId)
}

export interface NetworkToMake {
  readonly cidr?: string
  readonly subnet?: string
  readonly name?: string
  readonly subnetName?: string
}

/** Creates a VPC with a subnet and an internet gateway. */
export const newNetwork = async (
  client: EC2Client,
  { cidr = '10.0.0.0/16', subnet = '10.0.0.0/24', name = 'net', subnetName = 'subnet' }: NetworkToMake = {},
) => {
  const vpcId = await newVpc(client, { CidrBlock: cidr, TagSpecifications: named('vpc', name) })
  const { Subnet } = await client.send(
    new CreateSubnetCommand({
      VpcId: vpcId,
      CidrBlock: subnet,
      AvailabilityZone: 'eu-west-1a',
      TagSpecifications: named('subnet', subnetName),
    }),
  )
  const gatewayId = await newInternetGateway(client, vpcId)
  return { vpcId, subnetId: present(Subnet?.SubnetId), gatewayId }
}
