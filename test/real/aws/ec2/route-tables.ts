import type { RouteTable } from '@aws-sdk/client-ec2'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, freshVpc, inside, inVpc, nothing, present } from './world.ts'

const find = async ({ ec2 }: FreshVpc, id: string): Promise<RouteTable | undefined> =>
  (await ec2.describeRouteTables({ RouteTableIds: [id] })).RouteTables?.[0]

const routesOf = async (vpc: FreshVpc, id: string) =>
  (await find(vpc, id))?.Routes?.map(route => `${route.DestinationCidrBlock} ${route.State} ${route.Origin}`)

const everywhere = '0.0.0.0/0'

export const routeTableBehaviours: readonly Behaviour[] = [
  {
    title: 'a new table routes within its VPC',
    see: inVpc(async vpc => routesOf(vpc, await vpc.table())),
    aws: ['10.0.0.0/16 active CreateRouteTable'],
  },
  {
    title: 'a route to the internet gateway is active',
    see: inVpc(async vpc => {
      const [RouteTableId, GatewayId] = [await vpc.table(), await vpc.gateway()]
      await vpc.ec2.createRoute({ RouteTableId, GatewayId, DestinationCidrBlock: everywhere })
      return routesOf(vpc, RouteTableId)
    }),
    aws: ['10.0.0.0/16 active CreateRouteTable', '0.0.0.0/0 active CreateRoute'],
  },
  {
    title: 'a route that is there is not made again',
    see: inVpc(async vpc => {
      const [RouteTableId, GatewayId] = [await vpc.table(), await vpc.gateway()]
      const route = { RouteTableId, GatewayId, DestinationCidrBlock: everywhere }
      return [await codeOf(vpc.ec2.createRoute(route)), await codeOf(vpc.ec2.createRoute(route))]
    }),
    aws: ['done', 'RouteAlreadyExists 400'],
  },
  {
    // CreateRoute, API reference: "100.68.0.18/18 … we modify it to 100.68.0.0/18".
    title: 'host bits of a destination are cleared',
    see: inVpc(async vpc => {
      const [RouteTableId, GatewayId] = [await vpc.table(), await vpc.gateway()]
      await vpc.ec2.createRoute({ RouteTableId, GatewayId, DestinationCidrBlock: '100.68.0.18/18' })
      return (await routesOf(vpc, RouteTableId))?.at(-1)
    }),
    aws: '100.68.0.0/18 active CreateRoute',
    moto: '100.68.0.18/18 active CreateRoute',
  },
  {
    title: 'a route to a gateway of another VPC is refused',
    see: inVpc(async vpc => {
      const GatewayId = await (await freshVpc(vpc)).gateway()
      return codeOf(
        vpc.ec2.createRoute({ RouteTableId: await vpc.table(), GatewayId, DestinationCidrBlock: everywhere }),
      )
    }),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    title: 'a route to an unknown gateway is refused',
    see: inVpc(async vpc =>
      codeOf(
        vpc.ec2.createRoute({
          RouteTableId: await vpc.table(),
          GatewayId: nothing('igw'),
          DestinationCidrBlock: everywhere,
        }),
      ),
    ),
    aws: 'InvalidGatewayID.NotFound 400',
    moto: 'InvalidInternetGatewayID.NotFound 400',
  },
  {
    title: 'a route is replaced',
    see: inVpc(async vpc => {
      const [RouteTableId, GatewayId] = [await vpc.table(), await vpc.gateway()]
      const SubnetId = await vpc.subnet()
      const NatGatewayId = await vpc.nat(SubnetId, await vpc.address())
      await vpc.waitLong()
      await vpc.ec2.createRoute({ RouteTableId, GatewayId, DestinationCidrBlock: everywhere })
      await vpc.ec2.replaceRoute({ RouteTableId, NatGatewayId, DestinationCidrBlock: everywhere })
      const route = (await find(vpc, RouteTableId))?.Routes?.at(-1)
      return [route?.GatewayId, route?.NatGatewayId === NatGatewayId]
    }),
    aws: [undefined, true],
  },
  {
    title: 'a route that is not there is not replaced',
    see: inVpc(async vpc => {
      const [RouteTableId, GatewayId] = [await vpc.table(), await vpc.gateway()]
      return codeOf(vpc.ec2.replaceRoute({ RouteTableId, GatewayId, DestinationCidrBlock: everywhere }))
    }),
    aws: 'InvalidParameterValue 400',
  },
  {
    title: 'a route that is not there is not deleted',
    see: inVpc(async vpc =>
      codeOf(vpc.ec2.deleteRoute({ RouteTableId: await vpc.table(), DestinationCidrBlock: everywhere })),
    ),
    aws: 'InvalidRoute.NotFound 400',
  },
  {
    title: 'the route within the VPC stays',
    see: inVpc(async vpc =>
      codeOf(vpc.ec2.deleteRoute({ RouteTableId: await vpc.table(), DestinationCidrBlock: '10.0.0.0/16' })),
    ),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    title: 'a route to a NAT gateway that is gone is a blackhole',
    see: inVpc(async vpc => {
      await vpc.gateway()
      const NatGatewayId = await vpc.nat(await vpc.subnet(), await vpc.address())
      await vpc.waitLong()
      const RouteTableId = await vpc.table()
      await vpc.ec2.createRoute({ RouteTableId, NatGatewayId, DestinationCidrBlock: everywhere })
      await vpc.ec2.deleteNatGateway({ NatGatewayId })
      await vpc.waitLong()
      return (await routesOf(vpc, RouteTableId))?.at(-1)
    }),
    aws: '0.0.0.0/0 blackhole CreateRoute',
    moto: '0.0.0.0/0 active CreateRoute',
  },
  {
    title: 'a table with associations cannot be deleted',
    see: inVpc(async vpc => {
      const RouteTableId = await vpc.table()
      const { AssociationId } = await vpc.ec2.associateRouteTable({
        RouteTableId,
        SubnetId: await vpc.subnet(),
      })
      return [
        await codeOf(vpc.ec2.deleteRouteTable({ RouteTableId })),
        await codeOf(vpc.ec2.disassociateRouteTable({ AssociationId })),
        await codeOf(vpc.ec2.deleteRouteTable({ RouteTableId })),
        await codeOf(find(vpc, RouteTableId)),
      ]
    }),
    aws: ['DependencyViolation 400', 'done', 'done', 'InvalidRouteTableID.NotFound 400'],
  },
  {
    title: 'the main table cannot be deleted',
    see: inVpc(async ({ ec2, id }) => {
      const { RouteTables } = await ec2.describeRouteTables({ Filters: inside(id) })
      return codeOf(ec2.deleteRouteTable({ RouteTableId: present(RouteTables?.[0]?.RouteTableId) }))
    }),
    aws: 'DependencyViolation 400',
    moto: 'done',
  },
  {
    title: 'a subnet with a table is not associated with another',
    see: inVpc(async vpc => {
      const [first, second, SubnetId] = [await vpc.table(), await vpc.table(), await vpc.subnet()]
      return [
        await codeOf(vpc.ec2.associateRouteTable({ RouteTableId: first, SubnetId })),
        await codeOf(vpc.ec2.associateRouteTable({ RouteTableId: second, SubnetId })),
      ]
    }),
    aws: ['done', 'Resource.AlreadyAssociated 400'],
    moto: ['done', 'done'],
  },
  {
    title: 'an association is moved to another table',
    see: inVpc(async vpc => {
      const [first, second, SubnetId] = [await vpc.table(), await vpc.table(), await vpc.subnet()]
      const { AssociationId } = await vpc.ec2.associateRouteTable({ RouteTableId: first, SubnetId })
      const { NewAssociationId } = await vpc.ec2.replaceRouteTableAssociation({
        AssociationId,
        RouteTableId: second,
      })
      const { RouteTables } = await vpc.ec2.describeRouteTables({
        Filters: [{ Name: 'association.subnet-id', Values: [SubnetId] }],
      })
      return [
        RouteTables?.map(({ RouteTableId }) => RouteTableId === second),
        RouteTables?.[0]?.Associations?.map(
          ({ RouteTableAssociationId }) => RouteTableAssociationId === NewAssociationId,
        ),
      ]
    }),
    aws: [[true], [true]],
  },
  {
    title: 'an unknown association cannot be undone',
    see: ({ ec2 }) => codeOf(ec2.disassociateRouteTable({ AssociationId: nothing('rtbassoc') })),
    aws: 'InvalidAssociationID.NotFound 400',
  },
  {
    title: 'a table and a subnet of different VPCs do not go together',
    see: inVpc(async vpc => {
      const SubnetId = await (await freshVpc(vpc)).subnet()
      return codeOf(vpc.ec2.associateRouteTable({ RouteTableId: await vpc.table(), SubnetId }))
    }),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
]
