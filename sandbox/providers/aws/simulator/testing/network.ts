import {
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeNetworkInterfacesCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import type { Aws } from '../aws-interface.ts'
import { clientSettings } from './clients.ts'

/** Creates a VPC with a subnet in each of three zones and a security group, for services that need subnets. */
export const makeNetwork = async (aws: Aws) => {
  const ec2 = new EC2Client(clientSettings(aws))
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))
  const VpcId = String(Vpc?.VpcId)
  const subnets: string[] = []
  for (const [index, zone] of ['a', 'b', 'c'].entries()) {
    const made = await ec2.send(
      new CreateSubnetCommand({
        VpcId,
        CidrBlock: `10.0.${index}.0/24`,
        AvailabilityZone: `eu-west-1${zone}`,
      }),
    )
    subnets.push(String(made.Subnet?.SubnetId))
  }
  const group = await ec2.send(
    new CreateSecurityGroupCommand({ VpcId, GroupName: 'nodes', Description: 'nodes' }),
  )
  const interfaces = async () => {
    const filter = { Name: 'vpc-id', Values: [VpcId] }
    const found = await ec2.send(new DescribeNetworkInterfacesCommand({ Filters: [filter] }))
    return found.NetworkInterfaces ?? []
  }
  const [a = '', b = '', c = ''] = subnets
  return { ec2, vpcId: VpcId, subnets: [a, b, c] as const, groupId: String(group.GroupId), interfaces }
}
