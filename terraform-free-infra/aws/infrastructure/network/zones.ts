import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { zoneKey } from '../state-keys.ts'
import { tagAttributes, tagsOf } from '../tags.ts'
import type { InfrastructureWish, ManagedZone } from '../wish.ts'
import { associationType } from './association.ts'
import { elasticAddressType } from './elastic-address.ts'
import { addEndpoints } from './gateway-endpoint.ts'
import { type NatGatewayOutcome, nameOfGateway, natGatewayType } from './nat-gateway.ts'
import { type BaseRefs, wishesIpv6, type ZoneRefs } from './network.ts'
import type { NetworkReads } from './reads.ts'
import { type RouteTableOutcome, routeTableType } from './route-table.ts'
import { type SubnetOutcome, subnetType } from './subnet.ts'
import { allSubnetKinds, keyOfSubnet, nameOfSubnet, type SubnetKind, subnetKinds } from './subnet-kinds.ts'

export interface ManagedZonesRefs {
  /** The subnets of the nodes, by zone. */
  readonly workers: ReadonlyMap<string, Ref<SubnetOutcome>>
  /** By zone. */
  readonly gateways: ReadonlyMap<string, Ref<NatGatewayOutcome>>
  readonly zones: readonly ZoneRefs[]
}

/** Zones with subnets of their own: routes, a NAT gateway with its address, and endpoints. */
export const addZones = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  reads: NetworkReads,
  base: BaseRefs,
): ManagedZonesRefs => {
  if (wish.zones.kind === 'own') return { workers: new Map(), gateways: new Map(), zones: [] }
  const { zones } = wish.zones
  const types = typesOf(wish, reads, zones)
  const { vpc, internetGateway } = base
  const main = graph.add(types.table, 'main', {
    key: wish.clusterName,
    needs: { vpc },
    attributes: {
      ...(internetGateway && { 'route 0.0.0.0/0': internetGateway.get(({ id }) => id) }),
      ...(internetGateway && wishesIpv6(wish) && { 'route ::/0': internetGateway.get(({ id }) => id) }),
      ...tagAttributes(tagsOf(wish, wish.clusterName)),
    },
    state: { id: 'MainRouteTable' },
  })
  const made = zones.map(zone => addZone(graph, wish, types, { ...base, main }, zone))
  addEndpoints(graph, wish, reads, { vpc, tables: new Map(made.map(({ name, table }) => [name, table])) })
  return {
    workers: new Map(made.map(({ name, subnets }) => [name, subnets.workers])),
    gateways: new Map(made.map(({ name, gateway }) => [name, gateway])),
    zones: made.map(rangesOf),
  }
}

const typesOf = (wish: InfrastructureWish, reads: NetworkReads, zones: readonly ManagedZone[]) => {
  const blocks = new Map(
    zones.flatMap(zone =>
      allSubnetKinds.map(
        kind => [keyOfSubnet(wish, zone, kind), 3 * zone.index + subnetKinds[kind].block] as const,
      ),
    ),
  )
  return {
    subnet: subnetType(wish, reads, key => blocks.get(key) ?? 0),
    table: routeTableType(wish, reads),
    association: associationType(wish, reads),
    address: elasticAddressType(wish, reads),
    gateway: natGatewayType(wish, reads),
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
  wish: InfrastructureWish,
  types: ReturnType<typeof typesOf>,
  base: BaseRefs & { readonly main: Ref<RouteTableOutcome> },
  zone: ManagedZone,
): MadeZone => {
  const { vpc, main, internetGateway, egressOnlyGateway } = base
  const { clusterName } = wish
  const { name, suffix } = zone
  const subnet = (kind: SubnetKind) => addSubnet(graph, wish, types, vpc, zone, kind)
  const subnets = { workers: subnet('workers'), internal: subnet('internal'), public: subnet('public') }

  const addressName = `${clusterName}-eip-natgw-${suffix}`
  const address = graph.add(types.address, name, {
    when: zone.elasticIp === undefined,
    key: addressName,
    attributes: tagAttributes(tagsOf(wish, addressName)),
    state: { id: zoneKey(name, 'NATGatewayElasticIP') },
  })
  const gatewayName = nameOfGateway(wish, suffix)
  const gateway = graph.add(types.gateway, name, {
    key: gatewayName,
    attributes: {
      subnet: subnets.public.get(({ id }) => id),
      allocation: zone.elasticIp ?? address.get(({ id }) => id),
      ...tagAttributes(tagsOf(wish, gatewayName)),
    },
    // Without a way out of the VPC it fails.
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
      ...tagAttributes(tagsOf(wish, tableName)),
    },
    state: { id: zoneKey(name, 'ZoneRouteTable') },
  })
  for (const kind of allSubnetKinds) {
    graph.add(types.association, `${kind} ${name}`, {
      key: keyOfSubnet(wish, zone, kind),
      attributes: {
        subnet: subnets[kind].get(({ id }) => id),
        table: (kind === 'public' ? main : table).get(({ id }) => id),
      },
      state: { id: zoneKey(name, subnetKinds[kind].associationKey) },
    })
  }
  return { name, subnets, gateway, table }
}

const addSubnet = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  types: ReturnType<typeof typesOf>,
  vpc: BaseRefs['vpc'],
  zone: ManagedZone,
  kind: SubnetKind,
): Ref<SubnetOutcome> => {
  const cidr = zone[kind]
  const ipv6 = wishesIpv6(wish)
  const ipv6Only = cidr === undefined
  return graph.add(types.subnet, `${kind} ${zone.name}`, {
    key: keyOfSubnet(wish, zone, kind),
    needs: { vpc },
    attributes: {
      zone: zone.name,
      cidr,
      ipv6Only,
      ...(ipv6 && { ipv6: true }),
      // Nodes get an address of each family that their subnet has.
      ...(ipv6 && kind === 'workers' && { assignIpv6: true }),
      dns64: ipv6Only,
      hostnameType: ipv6Only ? 'resource-name' : 'ip-name',
      aRecord: false,
      aaaaRecord: ipv6Only,
      mapPublicIp: false,
      ...tagAttributes(tagsOf(wish, nameOfSubnet(wish, zone, kind), subnetKinds[kind].tags)),
    },
    state: { id: zoneKey(zone.name, subnetKinds[kind].stateKey) },
  })
}

const rangesOf = ({ name, subnets }: MadeZone): ZoneRefs => ({
  zone: name,
  needs: Object.fromEntries(allSubnetKinds.map(kind => [`${kind} ${name}`, subnets[kind]])),
  subnets: outcomes => {
    // Each stands under the name of its reference.
    const of = (kind: SubnetKind) => outcomes[`${kind} ${name}`] as SubnetOutcome | undefined
    return { workers: of('workers'), internal: of('internal'), public: of('public') }
  },
})
