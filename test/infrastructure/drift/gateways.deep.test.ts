import {
  AllocateAddressCommand,
  CreateRouteTableCommand,
  CreateVpcEndpointCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  DeleteInternetGatewayCommand,
  DeleteNatGatewayCommand,
  DeleteVpcEndpointsCommand,
  DescribeVpcEndpointsCommand,
  DetachInternetGatewayCommand,
  ModifyVpcEndpointCommand,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import type { Hands } from '../made-shoot.ts'
import { dualStack, testDrifts, usual } from './drift.ts'

const deleteNat = async ({ ec2, id, wait }: Hands, ...zones: readonly string[]) => {
  for (const zone of zones) {
    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id(`Zones/eu-west-1${zone}/NATGateway`) }))
  }
  await wait(60_000)
}
const detach = ({ ec2, id }: Hands) =>
  ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId: id('InternetGateway'), VpcId: id('VPC') }))
/** The writes for a new gateway in a zone and the route to it. */
const newNat = (zone: string, address = `${zone}/NATGatewayElasticIP`) => [
  `CreateNatGateway ${address} ${zone}/SubnetPublicUtility`,
  `ReplaceRoute ${zone}/ZoneRouteTable new ${zone}/NATGateway`,
]

describe('a user', () => {
  testDrifts(usual, [
    {
      what: 'deletes a NAT gateway: the new one has the address of the old one',
      done: hands => deleteNat(hands, 'a'),
      repaired: newNat('a'),
    },
    {
      what: 'deletes a NAT gateway, and it is still going',
      done: ({ ec2, id }) =>
        ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id('Zones/eu-west-1b/NATGateway') })),
      repaired: newNat('b'),
    },
    {
      what: 'releases the address of a NAT gateway',
      done: async hands => {
        await deleteNat(hands, 'a')
        const AllocationId = hands.id('Zones/eu-west-1a/NATGatewayElasticIP')
        await hands.ec2.send(new ReleaseAddressCommand({ AllocationId }))
      },
      repaired: ['AllocateAddress', ...newNat('a', 'new a/NATGatewayElasticIP')],
    },
    {
      what: 'allocates an address, which is theirs',
      done: ({ ec2 }) => ec2.send(new AllocateAddressCommand({ Domain: 'vpc' })),
      repaired: [],
    },
    {
      what: 'detaches the internet gateway',
      done: async hands => {
        // AWS refuses to detach it while addresses of the VPC use it.
        await deleteNat(hands, 'a', 'b')
        await detach(hands)
      },
      repaired: ['AttachInternetGateway InternetGateway VPC', ...newNat('a'), ...newNat('b')],
    },
    {
      what: 'deletes the internet gateway',
      done: async hands => {
        await deleteNat(hands, 'a', 'b')
        await detach(hands)
        const InternetGatewayId = hands.id('InternetGateway')
        await hands.ec2.send(new DeleteInternetGatewayCommand({ InternetGatewayId }))
      },
      repaired: [
        'CreateInternetGateway',
        'AttachInternetGateway new InternetGateway VPC',
        'ReplaceRoute MainRouteTable new InternetGateway',
        ...newNat('a'),
        ...newNat('b'),
      ],
    },
    {
      what: 'deletes the endpoint',
      done: async ({ ec2, id, wait }) => {
        await ec2.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id('VPCEndpoints/s3')] }))
        await wait(10_000)
      },
      repaired: ['CreateVpcEndpoint VPC a/ZoneRouteTable b/ZoneRouteTable'],
    },
    {
      what: 'takes the endpoint from a route table of ours and gives it to one of theirs, which keeps it',
      done: async ({ ec2, id }) => {
        const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId: id('VPC') }))
        await ec2.send(
          new ModifyVpcEndpointCommand({
            VpcEndpointId: id('VPCEndpoints/s3'),
            AddRouteTableIds: [RouteTable?.RouteTableId ?? ''],
            RemoveRouteTableIds: [id('Zones/eu-west-1b/ZoneRouteTable')],
          }),
        )
      },
      repaired: ['ModifyVpcEndpoint VPCEndpoints/s3 b/ZoneRouteTable'],
      survives: async ({ ec2 }) =>
        expect((await ec2.send(new DescribeVpcEndpointsCommand({}))).VpcEndpoints).toMatchObject([
          { RouteTableIds: { length: 3 } },
        ]),
    },
    {
      what: 'makes an endpoint of another service, which is theirs',
      done: ({ ec2, id }) =>
        ec2.send(
          new CreateVpcEndpointCommand({
            VpcId: id('VPC'),
            ServiceName: 'com.amazonaws.eu-west-1.dynamodb',
            VpcEndpointType: 'Gateway',
          }),
        ),
      repaired: [],
      survives: async ({ ec2 }) =>
        expect((await ec2.send(new DescribeVpcEndpointsCommand({}))).VpcEndpoints).toHaveLength(2),
    },
  ])
})

describe('with IPv6, an operator', () => {
  testDrifts(dualStack, [
    {
      what: 'deletes the egress-only gateway',
      done: ({ ec2, id }) =>
        ec2.send(
          new DeleteEgressOnlyInternetGatewayCommand({
            EgressOnlyInternetGatewayId: id('EgressOnlyInternetGateway'),
          }),
        ),
      repaired: [
        'CreateEgressOnlyInternetGateway VPC',
        'ReplaceRoute a/ZoneRouteTable new EgressOnlyInternetGateway',
      ],
    },
  ])
})
