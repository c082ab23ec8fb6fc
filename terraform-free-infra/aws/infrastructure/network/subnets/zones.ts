import type { GraphBuilder, Ref } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import { zonePath } from '../../config/problems/zone-problems.ts'
import type { DesiredInfrastructure, ManagedZone } from '../../desired-infrastructure.ts'
import { zoneKey } from '../../state.ts'
import {
  allSubnetKinds,
  keyOfSubnet,
  nameOfSubnet,
  type SubnetKind,
  subnetKinds,
  tagAttributes,
  tagsOf,
} from '../../tags.ts'
import { elasticAddressType } from '../egress/elastic-address.ts'
import { type NatGatewayOutcome, nameOfGateway, natGatewayType } from '../egress/nat-gateway.ts'
import { type BaseRefs, desiresIpv6, type ZoneRefs } from '../network.ts'
import type { NetworkReads } from '../reads.ts'
import { addGatewayEndpoints } from '../vpc/gateway-endpoints.ts'
import { associationType, type RouteTableOutcome, routeTableType } from './route-table.ts'
import { type SubnetOutcome, subnetType } from './subnet.ts'

export interface ManagedZonesRefs {
  /** The subnets of the nodes, by zone. */
  readonly workers: ReadonlyMap<string, Ref<SubnetOutcome>>
  /** By zone. */
  readonly gateways: ReadonlyMap<string, Ref<NatGatewayOutcome>>
  readonly zones: readonly ZoneRefs[]
}

/** Zones with their own subnets: routes, a NAT gateway with its address, and endpoints. */
export const addZones = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  base: BaseRefs,
): ManagedZonesRefs => {
  if (desired.zones.kind === 'own') return { workers: new Map(), gateways: new Map(), zones: [] }
  const { zones } = desired.zones
  const types = typesOf(desired, reads, zones)
  const { vpc, internetGateway } = base
  const main = graph.add(types.table, 'main', {
    key: desired.clusterName,
    needs: { vpc },
    attributes: {
      ...(internetGateway && { 'route 0.0.0.0/0': internetGateway.get(({ id }) => id) }),
      ...(internetGateway && desiresIpv6(desired) && { 'route ::/0': internetGateway.get(({ id }) => id) }),
      ...tagAttributes(tagsOf(desired, desired.clusterName)),
    },
    state: { id: 'MainRouteTable' },
  })
  const made = zones.map(zone => addZone(graph, desired, types, { ...base, main }, zone))
  addGatewayEndpoints(graph, desired, reads, {
    vpc,
    tables: new Map(made.map(({ name, table }) => [name, table])),
  })
  return {
    workers: new Map(made.map(({ name, subnets }) => [name, subnets.workers])),
    gateways: new Map(made.map(({ name, gateway }) => [name, gateway])),
    zones: made.map(rangesOf),
  }
}

const typesOf = (desired: DesiredInfrastructure, reads: NetworkReads, zones: readonly ManagedZone[]) => {
  const places = new Map(
    zones.flatMap(zone =>
      allSubnetKinds.map(kind => {
        const block = 3 * zone.index + subnetKinds[kind].block
        return [keyOfSubnet(desired, zone, kind), { block, path: zonePath(zone.index, kind) }] as const
      }),
    ),
  )
  return {
    subnet: subnetType(desired, reads, key => places.get(key) ?? { block: 0, path: 'networks.zones' }),
    table: routeTableType(desired, reads),
    association: associationType(desired, reads),
    address: elasticAddressType(desired, reads),
    gateway: natGatewayType(desired, reads),
  }
}

interface MadeZone {
  readonly name: string
  readonly subnets: Readonly<Record<SubnetKind, Ref<SubnetOutcome>>>
  readonly gateway: Ref<NatGatewayOutcome>
  readonly table: Ref<RouteTableOutcome>
}

const addZone = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  types: ReturnType<typeof typesOf>,
  base: BaseRefs & { readonly main: Ref<RouteTableOutcome> },
  zone: ManagedZone,
): MadeZone => {
  const { vpc, main, internetGateway, egressOnlyGateway } = base
  const { clusterName } = desired
  const { name, suffix } = zone
  const subnet = (kind: SubnetKind) => addSubnet(graph, desired, types, vpc, zone, kind)
  const subnets = { workers: subnet('workers'), internal: subnet('internal'), public: subnet('public') }

  const addressName = `${clusterName}-eip-natgw-${suffix}`
  const address = graph.add(types.address, name, {
    when: zone.elasticIp === undefined,
    key: addressName,
    attributes: tagAttributes(tagsOf(desired, addressName)),
    state: { id: zoneKey(name, 'NATGatewayElasticIP') },
  })
  const gatewayName = nameOfGateway(desired, suffix)
  const gateway = graph.add(types.gateway, name, {
    key: gatewayName,
    attributes: {
      subnet: subnets.public.get(({ id }) => id),
      allocation: zone.elasticIp ?? address.get(({ id }) => id),
      ...tagAttributes(tagsOf(desired, gatewayName)),
    },
    // A NAT gateway without an internet gateway fails.
    ...(internetGateway && { after: [internetGateway.label] }),
    state: { id: zoneKey(name, 'NATGateway') },
  })
  const tableName = `${clusterName}-private-${name}`
  const table = graph.add(types.table, name, {
    key: tableName,
    needs: { vpc },
    attributes: {
      'route 0.0.0.0/0': gateway.get(({ id }) => id),
      ...(egressOnlyGateway && {
        'route ::/0': egressOnlyGateway.get(({ id }) => id),
        'route 64:ff9b::/96': gateway.get(({ id }) => id),
      }),
      ...tagAttributes(tagsOf(desired, tableName)),
    },
    state: { id: zoneKey(name, 'ZoneRouteTable') },
  })
  for (const kind of allSubnetKinds)
    graph.add(types.association, `${kind} ${name}`, {
      key: keyOfSubnet(desired, zone, kind),
      attributes: {
        subnet: subnets[kind].get(({ id }) => id),
        table: (kind === 'public' ? main : table).get(({ id }) => id),
      },
      state: { id: zoneKey(name, subnetKinds[kind].associationKey) },
    })
  return { name, subnets, gateway, table }
}

const addSubnet = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  types: ReturnType<typeof typesOf>,
  vpc: BaseRefs['vpc'],
  zone: ManagedZone,
  kind: SubnetKind,
): Ref<SubnetOutcome> => {
  const cidr = zone[kind]
  const ipv6 = desiresIpv6(desired)
  const ipv6Only = cidr === undefined
  return graph.add(types.subnet, `${kind} ${zone.name}`, {
    key: keyOfSubnet(desired, zone, kind),
    needs: { vpc },
    attributes: {
      zone: zone.name,
      cidr,
      ipv6Only,
      ...(ipv6 && { ipv6: true }),
      // Nodes get an address of each family of their subnet.
      ...(ipv6 && kind === 'workers' && { assignIpv6: true }),
      dns64: ipv6Only,
      hostnameType: ipv6Only ? 'resource-name' : 'ip-name',
      aRecord: false,
      aaaaRecord: ipv6Only,
      mapPublicIp: false,
      ...tagAttributes(tagsOf(desired, nameOfSubnet(desired, zone, kind), subnetKinds[kind].tags)),
    },
    state: { id: zoneKey(zone.name, subnetKinds[kind].stateKey) },
  })
}

const rangesOf = ({ name, subnets }: MadeZone): ZoneRefs => ({
  zone: name,
  needs: Object.fromEntries(allSubnetKinds.map(kind => [`${kind} ${name}`, subnets[kind]])),
  subnets: outcomes => {
    // The key is the name of the reference.
    const of = (kind: SubnetKind) => outcomes[`${kind} ${name}`] as SubnetOutcome | undefined
    return { workers: of('workers'), internal: of('internal'), public: of('public') }
  },
})
