import { type Ec2State, emptyState, type Rows } from '../state.ts'
import { createTable, type Indexes, type Table } from './table.ts'

export type Tables = { readonly [Name in keyof Rows]: Table<Rows[Name]> }

const inVpc = { 'vpc-id': (row: { readonly vpcId: string | undefined }) => (row.vpcId ? [row.vpcId] : []) }

/** The indexes that avoid a scan of all rows. */
const indexes: { readonly [Name in keyof Rows]: Indexes<Rows[Name]> } = {
  vpcs: { 'dhcp-options-id': row => [row.dhcpOptionsId] },
  subnets: inVpc,
  subnetReservations: { 'subnet-id': row => [row.subnetId] },
  dhcpOptions: {},
  internetGateways: { 'attachment.vpc-id': inVpc['vpc-id'] },
  egressOnlyGateways: inVpc,
  vpnGateways: { 'attachment.vpc-id': inVpc['vpc-id'] },
  routeTables: {
    ...inVpc,
    'association.subnet-id': row => row.associations.flatMap(({ subnetId }) => subnetId ?? []),
    'association.route-table-association-id': row => row.associations.map(({ id }) => id),
    'route.nat-gateway-id': row =>
      row.routes.flatMap(({ target }) => (target.type === 'nat-gateway' ? target.id : [])),
  },
  networkAcls: {
    ...inVpc,
    'association.subnet-id': row => row.associations.map(({ subnetId }) => subnetId),
  },
  securityGroups: {
    ...inVpc,
    'group-name': row => [row.name],
    'security-group-rule-id': row => row.rules.map(({ id }) => id),
    'referenced-group': row => [
      ...new Set(row.rules.flatMap(({ peer }) => (peer.type === 'group' ? peer.id : []))),
    ],
  },
  addresses: {
    'public-ip': row => [row.publicIp],
    'association-id': row => (row.association ? [row.association.id] : []),
    'network-interface-id': row => (row.association ? [row.association.networkInterfaceId] : []),
  },
  natGateways: { ...inVpc, 'subnet-id': row => [row.subnetId] },
  vpcEndpoints: { ...inVpc, 'route-table-id': row => row.routeTableIds },
  networkInterfaces: {
    ...inVpc,
    'subnet-id': row => [row.subnetId],
    'group-id': row => row.groupIds,
    'attachment.instance-id': row => (row.attachment?.instanceId ? [row.attachment.instanceId] : []),
  },
  keyPairs: { 'key-name': row => [row.name] },
  volumes: { 'attachment.instance-id': row => (row.attachment ? [row.attachment.instanceId] : []) },
  images: {},
  instances: {
    ...inVpc,
    'subnet-id': row => [row.subnetId],
    'reservation-id': row => [row.reservationId],
  },
}

/** A symbol attaches the tables to their state, but they are not saved with it. */
const attached = Symbol('tables')

const build = ({ rows }: Ec2State): Tables => {
  // A snapshot of an earlier version lacks newer tables.
  Object.assign(rows, { ...emptyState().rows, ...rows })
  return {
    vpcs: createTable(rows.vpcs, indexes.vpcs),
    subnets: createTable(rows.subnets, indexes.subnets),
    subnetReservations: createTable(rows.subnetReservations, indexes.subnetReservations),
    dhcpOptions: createTable(rows.dhcpOptions, indexes.dhcpOptions),
    internetGateways: createTable(rows.internetGateways, indexes.internetGateways),
    egressOnlyGateways: createTable(rows.egressOnlyGateways, indexes.egressOnlyGateways),
    vpnGateways: createTable(rows.vpnGateways, indexes.vpnGateways),
    routeTables: createTable(rows.routeTables, indexes.routeTables),
    networkAcls: createTable(rows.networkAcls, indexes.networkAcls),
    securityGroups: createTable(rows.securityGroups, indexes.securityGroups),
    addresses: createTable(rows.addresses, indexes.addresses),
    natGateways: createTable(rows.natGateways, indexes.natGateways),
    vpcEndpoints: createTable(rows.vpcEndpoints, indexes.vpcEndpoints),
    networkInterfaces: createTable(rows.networkInterfaces, indexes.networkInterfaces),
    keyPairs: createTable(rows.keyPairs, indexes.keyPairs),
    volumes: createTable(rows.volumes, indexes.volumes),
    images: createTable(rows.images, indexes.images),
    instances: createTable(rows.instances, indexes.instances),
  }
}

/** Returns the tables of a state. Rows must only be changed through them. */
export const tablesOf = (state: Ec2State): Tables => {
  const holder: Ec2State & { [attached]?: Tables } = state
  holder[attached] ??= build(state)
  return holder[attached]
}
