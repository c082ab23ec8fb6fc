import {
  AllocateAddressCommand,
  AssociateDhcpOptionsCommand,
  AttachInternetGatewayCommand,
  CreateDhcpOptionsCommand,
  CreateInternetGatewayCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  EC2Client,
  ModifyVpcAttributeCommand,
} from '@aws-sdk/client-ec2'
import { operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'

/** The resources that a user creates before a shoot. Keys are the placeholder ids of the examples. */
export type Made = ReadonlyMap<string, string>

/** Creates a VPC that a shoot can use: with DNS, DHCP options of the region and an internet gateway. */
export const makeVpc = async (handler: AwsRequestHandler): Promise<Made> => {
  const ec2 = new EC2Client(operator(handler))
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
  const VpcId = Vpc?.VpcId ?? ''
  const on = { Value: true }
  await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsSupport: on }))
  await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsHostnames: on }))
  const { DhcpOptions } = await ec2.send(
    new CreateDhcpOptionsCommand({
      DhcpConfigurations: [
        { Key: 'domain-name', Values: ['eu-west-1.compute.internal'] },
        { Key: 'domain-name-servers', Values: ['AmazonProvidedDNS'] },
      ],
    }),
  )
  await ec2.send(new AssociateDhcpOptionsCommand({ VpcId, DhcpOptionsId: DhcpOptions?.DhcpOptionsId }))
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
  const InternetGatewayId = InternetGateway?.InternetGatewayId
  await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  return new Map([['vpc-00000000000000001', VpcId]])
}

/** Creates such a VPC with subnets in three zones, for nodes and for load balancers. */
export const makeSubnets = async (handler: AwsRequestHandler): Promise<Made> => {
  const vpc = await makeVpc(handler)
  const ec2 = new EC2Client(operator(handler))
  const made = new Map(vpc)
  for (const [index, letter] of ['a', 'b', 'c'].entries()) {
    const cidrs = [
      `10.250.${index * 32}.0/19`,
      `10.250.${96 + index * 4}.0/22`,
      `10.250.${112 + index * 4}.0/22`,
    ]
    for (const [number, CidrBlock] of cidrs.entries()) {
      const [VpcId] = vpc.values()
      const command = new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone: `eu-west-1${letter}` })
      const { Subnet } = await ec2.send(command)
      made.set(`subnet-0000000000000${letter}00${number + 1}`, Subnet?.SubnetId ?? '')
    }
  }
  return made
}

export const makeAddresses = async (handler: AwsRequestHandler): Promise<Made> => {
  const ec2 = new EC2Client(operator(handler))
  const made = new Map<string, string>()
  for (const letter of ['a', 'b']) {
    const { AllocationId = '' } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))
    made.set(`eipalloc-0000000000000${letter}001`, AllocationId)
  }
  return made
}
