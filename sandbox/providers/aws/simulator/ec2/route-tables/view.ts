import type { Route as RouteOut, RouteTable as RouteTableOut } from '@aws-sdk/client-ec2'
import { blockState, presentBlocks } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { endpointState } from '../endpoints/endpoint-state.ts'
import { prefixListOf } from '../endpoints/service-catalogue.ts'
import type { Route, RouteTable } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { isMain } from './new-route-table.ts'
import { isUsable } from './usable.ts'

const destinationOut = (destination: string): RouteOut =>
  destination.includes(':')
    ? { DestinationIpv6CidrBlock: destination }
    : { DestinationCidrBlock: destination }

const targetOut = (ec2: Ec2, { target }: Route): RouteOut => {
  switch (target.type) {
    case 'gateway':
      return { GatewayId: target.id }
    case 'nat-gateway':
      return { NatGatewayId: target.id }
    case 'egress-only-internet-gateway':
      return { EgressOnlyInternetGatewayId: target.id }
    case 'network-interface': {
      const attachment = ec2.tables.networkInterfaces.get(target.id)?.attachment
      const instance = attachment?.instanceId
      return {
        NetworkInterfaceId: target.id,
        ...(instance ? { InstanceId: instance, InstanceOwnerId: ec2.accountId } : {}),
      }
    }
    case 'instance':
      return { InstanceId: target.id, InstanceOwnerId: ec2.accountId }
  }
}

/** Returns the ranges that every table of a VPC routes locally. */
export const localRanges = (ec2: Ec2, vpcId: string): readonly string[] => {
  const vpc = ec2.tables.vpcs.get(vpcId)
  return presentBlocks(ec2, [...(vpc?.blocks ?? []), ...(vpc?.ipv6Blocks ?? [])])
    .filter(block => blockState(ec2, block) !== 'failed')
    .map(({ cidr }) => cidr)
}

const localRoutes = (ec2: Ec2, vpcId: string): readonly RouteOut[] =>
  localRanges(ec2, vpcId).map(cidr => ({
    ...destinationOut(cidr),
    GatewayId: 'local',
    Origin: 'CreateRouteTable',
    State: 'active',
  }))

/** A gateway endpoint has a route to its service's prefix list in each of its tables. */
const endpointRoutes = (ec2: Ec2, table: RouteTable): readonly RouteOut[] =>
  ec2.tables.vpcEndpoints
    .by('route-table-id', table.id)
    .filter(row => row.type === 'Gateway' && ['pending', 'available'].includes(endpointState(ec2, row)))
    .map(row => ({
      DestinationPrefixListId: prefixListOf(row.serviceName)?.id,
      GatewayId: row.id,
      Origin: 'CreateRoute',
      State: 'active',
    }))

const routesOf = (ec2: Ec2, table: RouteTable): RouteOut[] => [
  ...localRoutes(ec2, table.vpcId),
  ...table.routes.map(
    (route): RouteOut => ({
      ...destinationOut(route.destination),
      ...targetOut(ec2, route),
      Origin: 'CreateRoute',
      State: isUsable(ec2, table.vpcId, route) ? 'active' : 'blackhole',
    }),
  ),
  ...endpointRoutes(ec2, table),
]

export const routeTableView = (ec2: Ec2, table: RouteTable): RouteTableOut => ({
  RouteTableId: table.id,
  VpcId: table.vpcId,
  OwnerId: ec2.accountId,
  Routes: routesOf(ec2, table),
  Associations: table.associations.map(({ id, subnetId }) => ({
    RouteTableAssociationId: id,
    RouteTableId: table.id,
    Main: subnetId === undefined,
    SubnetId: subnetId,
    AssociationState: { State: 'associated' },
  })),
  PropagatingVgws: [],
  Tags: tagsOut(table.tags),
})

export const routeTableFields = (ec2: Ec2): FilterFields<RouteTable> => {
  const each = (name: keyof RouteOut) => (table: RouteTable) =>
    routesOf(ec2, table).flatMap(route => route[name] ?? [])
  return {
    'association.gateway-id': () => [],
    'association.main': table => String(isMain(table)),
    'association.route-table-association-id': table => table.associations.map(({ id }) => id),
    'association.route-table-id': table => (table.associations.length > 0 ? table.id : undefined),
    'association.subnet-id': table => table.associations.flatMap(({ subnetId }) => subnetId ?? []),
    'owner-id': () => ec2.accountId,
    'route-table-id': table => table.id,
    'route.destination-cidr-block': each('DestinationCidrBlock'),
    'route.destination-ipv6-cidr-block': each('DestinationIpv6CidrBlock'),
    'route.destination-prefix-list-id': each('DestinationPrefixListId'),
    'route.egress-only-internet-gateway-id': each('EgressOnlyInternetGatewayId'),
    'route.gateway-id': each('GatewayId'),
    'route.instance-id': each('InstanceId'),
    'route.nat-gateway-id': each('NatGatewayId'),
    'route.origin': each('Origin'),
    'route.state': each('State'),
    'vpc-id': table => table.vpcId,
  }
}
