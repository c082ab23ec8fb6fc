import {
  CreateSubnetCommand,
  CreateTagsCommand,
  DeleteNatGatewayCommand,
  DeleteSubnetCidrReservationCommand,
  DeleteSubnetCommand,
  DescribeSubnetsCommand,
  DisassociateSubnetCidrBlockCommand,
  GetSubnetCidrReservationsCommand,
  ModifySubnetAttributeCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import { namespace, zones } from '../../../functions/aws/infrastructure/testing/objects.ts'
import type { Hands, ShootShape } from '../made-shoot.ts'
import { dualStack, testDrifts } from './drift.ts'

const plain: ShootShape = { parts: () => ({ zones: zones(1) }) }
const subnet = ({ id }: Hands, kind = 'Workers') => ({ SubnetId: id(`Zones/eu-west-1a/Subnet${kind}`) })

describe('a user', () => {
  testDrifts(plain, [
    ...(['Workers', 'PrivateUtility'] as const).map(kind => ({
      what: `deletes the subnet ${kind}`,
      done: (hands: Hands) => hands.ec2.send(new DeleteSubnetCommand(subnet(hands, kind))),
      repaired: ['CreateSubnet VPC', `AssociateRouteTable a/ZoneRouteTable new a/Subnet${kind}`],
    })),
    {
      what: 'deletes the subnet of the NAT gateway',
      done: async hands => {
        const { ec2, id, wait } = hands
        await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: id('Zones/eu-west-1a/NATGateway') }))
        await wait(60_000)
        await ec2.send(new DeleteSubnetCommand(subnet(hands, 'PublicUtility')))
      },
      repaired: [
        'CreateSubnet VPC',
        'AssociateRouteTable MainRouteTable new a/SubnetPublicUtility',
        'CreateNatGateway a/NATGatewayElasticIP new a/SubnetPublicUtility',
        'ReplaceRoute a/ZoneRouteTable new a/NATGateway',
      ],
    },
    {
      what: 'gives new machines in a subnet public addresses',
      done: hands =>
        hands.ec2.send(
          new ModifySubnetAttributeCommand({ ...subnet(hands), MapPublicIpOnLaunch: { Value: true } }),
        ),
      repaired: ['ModifySubnetAttribute a/SubnetWorkers'],
    },
    {
      what: 'makes a subnet, which is theirs, also when they share it with the cluster',
      done: async ({ ec2, id }) => {
        const command = new CreateSubnetCommand({ VpcId: id('VPC'), CidrBlock: '10.250.200.0/24' })
        const { Subnet } = await ec2.send(command)
        await ec2.send(
          new CreateTagsCommand({
            Resources: [Subnet?.SubnetId ?? ''],
            Tags: [{ Key: `kubernetes.io/cluster/${namespace}`, Value: 'shared' }],
          }),
        )
      },
      repaired: [],
      survives: async ({ ec2, id }) => {
        const Filters = [{ Name: 'vpc-id', Values: [id('VPC')] }]
        expect((await ec2.send(new DescribeSubnetsCommand({ Filters }))).Subnets).toHaveLength(4)
      },
    },
  ])
})

describe('with IPv6, an operator', () => {
  testDrifts(dualStack, [
    {
      what: 'no longer gives nodes IPv6 addresses',
      done: hands =>
        hands.ec2.send(
          new ModifySubnetAttributeCommand({
            ...subnet(hands),
            AssignIpv6AddressOnCreation: { Value: false },
          }),
        ),
      repaired: ['ModifySubnetAttribute a/SubnetWorkers'],
    },
    {
      what: 'takes the IPv6 block from a subnet',
      done: async hands => {
        const where = subnet(hands, 'PrivateUtility')
        const { Subnets } = await hands.ec2.send(new DescribeSubnetsCommand({ SubnetIds: [where.SubnetId] }))
        const AssociationId = Subnets?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.AssociationId
        await hands.ec2.send(new DisassociateSubnetCidrBlockCommand({ AssociationId }))
        await hands.wait(10_000)
      },
      repaired: ['AssociateSubnetCidrBlock a/SubnetPrivateUtility'],
    },
    {
      what: 'gives up the range that is reserved for services',
      done: async hands => {
        const { SubnetIpv6CidrReservations } = await hands.ec2.send(
          new GetSubnetCidrReservationsCommand(subnet(hands)),
        )
        const SubnetCidrReservationId = SubnetIpv6CidrReservations?.[0]?.SubnetCidrReservationId
        await hands.ec2.send(new DeleteSubnetCidrReservationCommand({ SubnetCidrReservationId }))
      },
      repaired: ['CreateSubnetCidrReservation a/SubnetWorkers'],
    },
  ])
})
