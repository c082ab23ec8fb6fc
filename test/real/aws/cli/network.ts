import { expect } from 'vitest'
import type { AwsCli } from '../python-client.ts'

/** A network from its VPC to its NAT gateway and back. */
export const networkLife = async ({ json }: AwsCli): Promise<void> => {
  const ec2 = (command: string, ...args: string[]) => json('ec2', command, ...args)
  const named = ['--tag-specifications', 'ResourceType=vpc,Tags=[{Key=Name,Value=cli}]']
  const { Vpc } = await ec2('create-vpc', '--cidr-block', '10.250.0.0/16', ...named)
  const vpc = ['--vpc-id', Vpc.VpcId]
  await ec2('wait', 'vpc-available', '--vpc-ids', Vpc.VpcId)
  const [{ Subnet }, { InternetGateway }, { AllocationId }] = await Promise.all([
    ec2('create-subnet', ...vpc, '--cidr-block', '10.250.0.0/24'),
    ec2('create-internet-gateway'),
    ec2('allocate-address'),
  ])
  const gateway = ['--internet-gateway-id', InternetGateway.InternetGatewayId]
  await ec2('attach-internet-gateway', ...vpc, ...gateway)
  const subnet = ['--subnet-id', Subnet.SubnetId]
  const { NatGateway } = await ec2('create-nat-gateway', ...subnet, '--allocation-id', AllocationId)
  expect(NatGateway.State).toBe('pending')
  const nat = NatGateway.NatGatewayId
  await ec2('wait', 'nat-gateway-available', '--nat-gateway-ids', nat)
  await expect(ec2('delete-subnet', ...subnet)).rejects.toThrow(/\(DependencyViolation\)/)
  expect(
    await ec2('describe-vpcs', '--filters', 'Name=tag:Name,Values=c?i', '--query', 'Vpcs[].CidrBlock'),
  ).toEqual(['10.250.0.0/16'])
  await ec2('delete-nat-gateway', '--nat-gateway-id', nat)
  await ec2('wait', 'nat-gateway-deleted', '--nat-gateway-ids', nat)
  await Promise.all([
    ec2('release-address', '--allocation-id', AllocationId),
    ec2('delete-subnet', ...subnet),
    ec2('detach-internet-gateway', ...vpc, ...gateway),
  ])
  await ec2('delete-internet-gateway', ...gateway)
  await ec2('delete-vpc', ...vpc)
  await expect(ec2('describe-vpcs', '--vpc-ids', Vpc.VpcId)).rejects.toThrow(/\(InvalidVpcID\.NotFound\)/)
}
