import {
  AssociateSubnetCidrBlockCommand,
  AssociateVpcCidrBlockCommand,
  CreateSubnetCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  DisassociateSubnetCidrBlockCommand,
  ModifySubnetAttributeCommand,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../../../shared/clock/clock.ts'
import { createAws } from '../../../simulator.ts'
import { failureOf } from '../../../testing/clients.ts'
import { failIpv6Blocks } from '../../inventory.ts'
import * as network from '../../testing/network.ts'

const associated = 3_000
const message = 'The range is not available.'

const setUp = (...of: readonly ('vpc' | 'subnet')[]) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 } } })
  failIpv6Blocks(
    aws.account(),
    'eu-west-1',
    of.map(each => ({ of: each, message })),
  )
  const client = network.ec2ClientOf(aws)
  const vpcBlocks = async (id: string) => {
    const { Vpcs = [] } = await client.send(new DescribeVpcsCommand({ VpcIds: [id] }))
    return Vpcs[0]?.Ipv6CidrBlockAssociationSet ?? []
  }
  const subnetBlocks = async (id: string | undefined) => {
    const { Subnets = [] } = await client.send(new DescribeSubnetsCommand({ SubnetIds: [String(id)] }))
    return Subnets[0]?.Ipv6CidrBlockAssociationSet ?? []
  }
  return { clock, client, vpcBlocks, subnetBlocks }
}

const dualStack = { CidrBlock: '10.0.0.0/16', AmazonProvidedIpv6CidrBlock: true }
const failed = { State: 'failed', StatusMessage: message }

/** Returns the first /64 of a /56. */
const firstOf = (block: string | undefined) => String(block).replace('/56', '/64')

test('the IPv6 block of a new VPC fails on order with its message, and the next one does not', async () => {
  const { clock, client, vpcBlocks } = setUp('vpc')
  const VpcId = await network.newVpc(client, dualStack)
  expect(await vpcBlocks(VpcId)).toMatchObject([{ Ipv6CidrBlockState: { State: 'associating' } }])
  await clock.advance(associated)
  const [block] = await vpcBlocks(VpcId)
  expect(block?.Ipv6CidrBlockState).toEqual(failed)
  await client.send(new AssociateVpcCidrBlockCommand({ VpcId, AmazonProvidedIpv6CidrBlock: true }))
  await clock.advance(associated)
  expect(await vpcBlocks(VpcId)).toMatchObject([
    { Ipv6CidrBlockState: failed },
    { Ipv6CidrBlockState: { State: 'associated' } },
  ])
})

test('a failed IPv6 block of a VPC has no route and no subnets', async () => {
  const { clock, client, vpcBlocks } = setUp('vpc')
  const VpcId = await network.newVpc(client, dualStack)
  await clock.advance(associated)
  const Ipv6CidrBlock = firstOf((await vpcBlocks(VpcId))[0]?.Ipv6CidrBlock)
  const subnet = { VpcId, CidrBlock: '10.0.0.0/24', Ipv6CidrBlock }
  expect(await failureOf(client.send(new CreateSubnetCommand(subnet)))).toMatchObject({
    name: 'InvalidSubnet.Range',
  })
  const Filters = [{ Name: 'vpc-id', Values: [VpcId] }]
  const { RouteTables = [] } = await client.send(new DescribeRouteTablesCommand({ Filters }))
  expect(RouteTables.flatMap(({ Routes = [] }) => Routes)).toHaveLength(1)
})

test('the IPv6 block of a new subnet fails on order, and another one can take its place', async () => {
  const { clock, client, vpcBlocks, subnetBlocks } = setUp('subnet', 'subnet')
  const VpcId = await network.newVpc(client, dualStack)
  await clock.advance(associated)
  const Ipv6CidrBlock = firstOf((await vpcBlocks(VpcId))[0]?.Ipv6CidrBlock)
  const { Subnet } = await client.send(
    new CreateSubnetCommand({ VpcId, CidrBlock: '10.0.0.0/24', Ipv6CidrBlock }),
  )
  const SubnetId = Subnet?.SubnetId
  await clock.advance(associated)
  expect(await subnetBlocks(SubnetId)).toMatchObject([{ Ipv6CidrBlockState: failed }])
  const assign = { SubnetId, AssignIpv6AddressOnCreation: { Value: true } }
  expect(await failureOf(client.send(new ModifySubnetAttributeCommand(assign)))).toMatchObject({
    name: 'InvalidParameterValue',
  })
  await client.send(new AssociateSubnetCidrBlockCommand({ SubnetId, Ipv6CidrBlock }))
  await clock.advance(associated)
  expect(await subnetBlocks(SubnetId)).toMatchObject([
    { Ipv6CidrBlockState: failed },
    { Ipv6CidrBlockState: failed },
  ])
  for (const { AssociationId } of await subnetBlocks(SubnetId)) {
    await client.send(new DisassociateSubnetCidrBlockCommand({ AssociationId }))
  }
  await client.send(new AssociateSubnetCidrBlockCommand({ SubnetId, Ipv6CidrBlock }))
  await clock.advance(associated)
  expect(await subnetBlocks(SubnetId)).toMatchObject([{ Ipv6CidrBlockState: { State: 'associated' } }])
})

test('a refused request does not use up an ordered failure', async () => {
  const { clock, client, vpcBlocks } = setUp('vpc')
  const wrong = { ...dualStack, CidrBlock: '10.0.0.0/8' }
  expect(await failureOf(network.newVpc(client, wrong))).toBeInstanceOf(Error)
  const VpcId = await network.newVpc(client, dualStack)
  await clock.advance(associated)
  expect(await vpcBlocks(VpcId)).toMatchObject([{ Ipv6CidrBlockState: failed }])
})
