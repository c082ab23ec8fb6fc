import type {
  CreateRouteRequest,
  CreateRouteResult,
  DeleteRouteRequest,
  ReplaceRouteRequest,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { formatCidr, parseCidr } from '../core/cidrs/cidr.ts'
import { requireCidr } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import {
  checkLimit,
  invalidCombination,
  invalidParameter,
  invalidValue,
  missingParameter,
} from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { natGatewayState } from '../nat-gateways/nat-state.ts'
import type { Route, RouteTable } from '../rows/network.ts'
import { localRanges } from './view.ts'

type RouteDestination = Pick<CreateRouteRequest, 'DestinationCidrBlock' | 'DestinationIpv6CidrBlock'>

/** EC2 stores the canonical form of a range ("CreateRoute", API reference). */
const destinationOf = (input: RouteDestination): string => {
  const { DestinationCidrBlock: ipv4, DestinationIpv6CidrBlock: ipv6 } = input
  if (ipv4 !== undefined && ipv6 !== undefined) {
    throw invalidCombination(
      'Only one of destinationCidrBlock and destinationIpv6CidrBlock can be specified.',
    )
  }
  if (ipv6 !== undefined) return formatCidr(requireCidr(ipv6, 6, 'destinationIpv6CidrBlock'))
  if (ipv4 === undefined) throw missingParameter('destinationCidrBlock')
  return formatCidr(requireCidr(ipv4, 4, 'destinationCidrBlock'))
}

const different = (table: RouteTable, noun: string, id: string) =>
  invalidValue(`route table ${table.id} and ${noun} ${id} belong to different networks`)

const gatewayTarget = (ec2: Ec2, table: RouteTable, id: string): Route['target'] => {
  if (id.startsWith('vpce-')) {
    throw invalidParameter('gatewayId', id, 'Routes to gateway endpoints are made by the endpoint.')
  }
  const gateway = ec2.tables.internetGateways.get(id) ?? ec2.tables.vpnGateways.get(id)
  if (!gateway) throw refuse('InvalidGatewayID.NotFound', `The gateway ID '${id}' does not exist`)
  if (gateway.vpcId !== table.vpcId) throw different(table, 'network gateway', id)
  return { type: 'gateway', id }
}

const natTarget = (ec2: Ec2, table: RouteTable, id: string): Route['target'] => {
  const gateway = ec2.tables.natGateways.get(id)
  if (!gateway || ['deleting', 'deleted', 'failed'].includes(natGatewayState(ec2, gateway))) {
    throw refuse('InvalidNatGatewayID.NotFound', `The natGateway ID '${id}' does not exist`)
  }
  if (gateway.vpcId !== table.vpcId) throw different(table, 'NAT gateway', id)
  return { type: 'nat-gateway', id }
}

const egressOnlyTarget = (ec2: Ec2, table: RouteTable, id: string, destination: string): Route['target'] => {
  const gateway = find(ec2, 'egressOnlyGateways', id)
  if (gateway.vpcId !== table.vpcId) throw different(table, 'egress-only internet gateway', id)
  if (parseCidr(destination)?.family !== 6) {
    throw invalidParameter('egressOnlyInternetGatewayId', id, 'It can only be the target of IPv6 routes.')
  }
  return { type: 'egress-only-internet-gateway', id }
}

const interfaceTarget = (ec2: Ec2, table: RouteTable, id: string): Route['target'] => {
  if (find(ec2, 'networkInterfaces', id).vpcId !== table.vpcId) throw different(table, 'interface', id)
  return { type: 'network-interface', id }
}

/** A route to an instance is stored as a route to its only interface. */
const instanceTarget = (ec2: Ec2, table: RouteTable, id: string): Route['target'] => {
  find(ec2, 'instances', id)
  const interfaces = ec2.tables.networkInterfaces.by('attachment.instance-id', id)
  const [only] = interfaces
  if (interfaces.length > 1 || !only) {
    throw refuse(
      'InvalidInstanceID',
      `There are multiple interfaces attached to instance '${id}'. Please specify an interface ID for the operation instead.`,
    )
  }
  return interfaceTarget(ec2, table, only.id)
}

const targets = [
  'GatewayId',
  'NatGatewayId',
  'EgressOnlyInternetGatewayId',
  'NetworkInterfaceId',
  'InstanceId',
] as const

type TargetRequest = { readonly [Name in (typeof targets)[number]]?: string | undefined }

const targetOf = (
  ec2: Ec2,
  table: RouteTable,
  input: TargetRequest,
  destination: string,
): Route['target'] => {
  const given = targets.filter(name => input[name] !== undefined)
  const [name, second] = given
  if (name === undefined) {
    throw missingParameter(
      'gatewayId, natGatewayId, egressOnlyInternetGatewayId, networkInterfaceId or instanceId',
    )
  }
  if (second !== undefined) throw invalidCombination('The request must contain exactly one target.')
  const id = input[name] ?? ''
  switch (name) {
    case 'GatewayId':
      return gatewayTarget(ec2, table, id)
    case 'NatGatewayId':
      return natTarget(ec2, table, id)
    case 'EgressOnlyInternetGatewayId':
      return egressOnlyTarget(ec2, table, id, destination)
    case 'NetworkInterfaceId':
      return interfaceTarget(ec2, table, id)
    case 'InstanceId':
      return instanceTarget(ec2, table, id)
  }
}

const acceptsRoute = {
  RouteTableId: true,
  DestinationCidrBlock: true,
  DestinationIpv6CidrBlock: true,
  GatewayId: true,
  NatGatewayId: true,
  EgressOnlyInternetGatewayId: true,
  NetworkInterfaceId: true,
  InstanceId: true,
} as const

const isLocal = (ec2: Ec2, table: RouteTable, destination: string): boolean =>
  localRanges(ec2, table.vpcId).includes(destination)

export const routeOperations = {
  CreateRoute: operation<CreateRouteRequest, CreateRouteResult>(acceptsRoute, (input, ec2) => {
    const destination = destinationOf(input)
    const table = find(ec2, 'routeTables', input.RouteTableId)
    const target = targetOf(ec2, table, input, destination)
    if (isLocal(ec2, table, destination) || table.routes.some(route => route.destination === destination)) {
      throw refuse('RouteAlreadyExists', `The route identified by ${destination} already exists.`)
    }
    checkLimit(table.routes.length, ec2.limits.routes, () =>
      refuse('RouteLimitExceeded', 'The maximum number of routes has been reached.'),
    )
    ec2.tables.routeTables.put({ ...table, routes: [...table.routes, { destination, target }] })
    return { Return: true }
  }),
  ReplaceRoute: operation<ReplaceRouteRequest, object>(acceptsRoute, (input, ec2) => {
    const destination = destinationOf(input)
    const table = find(ec2, 'routeTables', input.RouteTableId)
    const target = targetOf(ec2, table, input, destination)
    // EC2 also refuses to replace a route that exists only by propagation (seen by users of Ansible: issue 43415).
    if (!table.routes.some(route => route.destination === destination)) {
      throw invalidValue(
        `There is no route defined for '${destination}' in the route table. Use CreateRoute instead.`,
      )
    }
    const routes = table.routes.map(route =>
      route.destination === destination ? { destination, target } : route,
    )
    ec2.tables.routeTables.put({ ...table, routes })
    return {}
  }),
  DeleteRoute: operation<DeleteRouteRequest, object>(
    { RouteTableId: true, DestinationCidrBlock: true, DestinationIpv6CidrBlock: true },
    (input, ec2) => {
      const destination = destinationOf(input)
      const table = find(ec2, 'routeTables', input.RouteTableId)
      if (isLocal(ec2, table, destination)) {
        throw invalidValue(`cannot remove local route ${destination} in route table ${table.id}`)
      }
      const routes = table.routes.filter(route => route.destination !== destination)
      if (routes.length === table.routes.length) {
        throw refuse(
          'InvalidRoute.NotFound',
          `no route with destination-cidr-block ${destination} in route table ${table.id}`,
        )
      }
      ec2.tables.routeTables.put({ ...table, routes })
      return {}
    },
  ),
}
