import {
  AssociateRouteTableCommand,
  CreateRouteCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  DeleteRouteCommand,
  DeleteRouteTableCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
  ReplaceRouteCommand,
  ReplaceRouteTableAssociationCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import type { Hands } from '../made-shoot.ts'
import { dualStack, testDrifts, usual } from './drift.ts'

const everywhere = { DestinationCidrBlock: '0.0.0.0/0' }
const table = ({ id }: Hands, zone = 'a') => ({ RouteTableId: id(`Zones/eu-west-1${zone}/ZoneRouteTable`) })
const association = ({ id }: Hands, kind: string) => ({
  AssociationId: id(`Zones/eu-west-1a/Subnet${kind}RouteTableAssoc`),
})
const routesOf = async ({ ec2 }: Hands, where: { RouteTableId: string }) =>
  (await ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [where.RouteTableId] }))).RouteTables?.[0]
    ?.Routes

describe('a user', () => {
  testDrifts(usual, [
    {
      what: 'deletes the default route of the main table',
      done: ({ ec2, id }) =>
        ec2.send(new DeleteRouteCommand({ RouteTableId: id('MainRouteTable'), ...everywhere })),
      repaired: ['CreateRoute MainRouteTable InternetGateway'],
    },
    {
      what: 'deletes the default route of a zone',
      done: hands => hands.ec2.send(new DeleteRouteCommand({ ...table(hands), ...everywhere })),
      repaired: ['CreateRoute a/ZoneRouteTable a/NATGateway'],
    },
    {
      what: 'sends a zone out by the gateway of another',
      done: hands =>
        hands.ec2.send(
          new ReplaceRouteCommand({
            ...table(hands),
            ...everywhere,
            NatGatewayId: hands.id('Zones/eu-west-1b/NATGateway'),
          }),
        ),
      repaired: ['ReplaceRoute a/ZoneRouteTable a/NATGateway'],
    },
    {
      what: 'adds a route, which stays while a deleted one comes back',
      done: async hands => {
        const route = { ...table(hands), DestinationCidrBlock: '192.0.2.0/24' }
        const GatewayId = hands.id('InternetGateway')
        await hands.ec2.send(new CreateRouteCommand({ ...route, GatewayId }))
        await hands.ec2.send(new DeleteRouteCommand({ ...table(hands), ...everywhere }))
      },
      repaired: ['CreateRoute a/ZoneRouteTable a/NATGateway'],
      survives: async hands =>
        expect(await routesOf(hands, table(hands))).toContainEqual(
          expect.objectContaining({
            DestinationCidrBlock: '192.0.2.0/24',
            GatewayId: hands.id('InternetGateway'),
          }),
        ),
    },
    {
      what: 'takes a subnet out of its route table',
      done: hands => hands.ec2.send(new DisassociateRouteTableCommand(association(hands, 'Workers'))),
      repaired: ['AssociateRouteTable a/ZoneRouteTable a/SubnetWorkers'],
    },
    {
      what: 'gives a subnet the route table of another zone',
      done: hands =>
        hands.ec2.send(
          new ReplaceRouteTableAssociationCommand({ ...association(hands, 'Private'), ...table(hands, 'b') }),
        ),
      repaired: ['ReplaceRouteTableAssociation another a/ZoneRouteTable'],
    },
    {
      what: 'gives a subnet a route table of their own, which stays',
      done: async hands => {
        const VpcId = hands.id('VPC')
        const { RouteTable } = await hands.ec2.send(new CreateRouteTableCommand({ VpcId }))
        const RouteTableId = RouteTable?.RouteTableId
        await hands.ec2.send(
          new ReplaceRouteTableAssociationCommand({ ...association(hands, 'Public'), RouteTableId }),
        )
      },
      repaired: ['ReplaceRouteTableAssociation another MainRouteTable'],
      survives: async ({ ec2, id }) => {
        const Filters = [{ Name: 'vpc-id', Values: [id('VPC')] }]
        // In addition to theirs: the main one of the VPC, ours for all public subnets, and one for each zone.
        expect((await ec2.send(new DescribeRouteTablesCommand({ Filters }))).RouteTables).toHaveLength(5)
      },
    },
    {
      what: 'deletes the route table of a zone',
      done: async hands => {
        await hands.ec2.send(new DisassociateRouteTableCommand(association(hands, 'Private')))
        await hands.ec2.send(new DisassociateRouteTableCommand(association(hands, 'Workers')))
        await hands.ec2.send(new DeleteRouteTableCommand(table(hands)))
      },
      repaired: [
        'CreateRouteTable VPC',
        'CreateRoute new a/ZoneRouteTable a/NATGateway',
        'AssociateRouteTable new a/ZoneRouteTable a/SubnetPrivateUtility',
        'AssociateRouteTable new a/ZoneRouteTable a/SubnetWorkers',
        'ModifyVpcEndpoint VPCEndpoints/s3 new a/ZoneRouteTable',
      ],
    },
    {
      what: 'adds a subnet of their own to our main table, which stays there',
      done: async ({ ec2, id }) => {
        const { Subnet } = await ec2.send(
          new CreateSubnetCommand({ VpcId: id('VPC'), CidrBlock: '10.250.128.0/24' }),
        )
        await ec2.send(
          new AssociateRouteTableCommand({ RouteTableId: id('MainRouteTable'), SubnetId: Subnet?.SubnetId }),
        )
      },
      repaired: [],
    },
  ])
})

describe('with IPv6, an operator', () => {
  const v6 = { DestinationIpv6CidrBlock: '::/0' }
  testDrifts(dualStack, [
    {
      what: 'deletes the IPv6 route of the main table',
      done: ({ ec2, id }) => ec2.send(new DeleteRouteCommand({ RouteTableId: id('MainRouteTable'), ...v6 })),
      repaired: ['CreateRoute MainRouteTable InternetGateway'],
    },
    {
      what: 'deletes the IPv6 route of a zone',
      done: hands => hands.ec2.send(new DeleteRouteCommand({ ...table(hands), ...v6 })),
      repaired: ['CreateRoute a/ZoneRouteTable EgressOnlyInternetGateway'],
    },
    {
      what: 'deletes the route of a zone that NAT64 needs',
      done: hands =>
        hands.ec2.send(new DeleteRouteCommand({ ...table(hands), DestinationIpv6CidrBlock: '64:ff9b::/96' })),
      repaired: ['CreateRoute a/ZoneRouteTable a/NATGateway'],
    },
  ])
})
