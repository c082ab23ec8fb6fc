import type { Image, Instance, KeyPair, Supply, Volume } from '../rows/compute.ts'
import type {
  Address,
  DhcpOptions,
  EgressOnlyGateway,
  GatewayFailure,
  InternetGateway,
  Ipv6BlockFailure,
  NatGateway,
  NetworkAcl,
  NetworkInterface,
  RouteTable,
  SecurityGroup,
  Subnet,
  SubnetReservation,
  Vpc,
  VpcEndpoint,
} from '../rows/network.ts'

/** The rows of every table. */
export interface Rows {
  vpcs: Vpc
  subnets: Subnet
  subnetReservations: SubnetReservation
  dhcpOptions: DhcpOptions
  internetGateways: InternetGateway
  egressOnlyGateways: EgressOnlyGateway
  routeTables: RouteTable
  networkAcls: NetworkAcl
  securityGroups: SecurityGroup
  addresses: Address
  natGateways: NatGateway
  vpcEndpoints: VpcEndpoint
  networkInterfaces: NetworkInterface
  keyPairs: KeyPair
  volumes: Volume
  images: Image
  instances: Instance
}

/** A ClientToken that was used. */
export interface TokenUse {
  /** A digest of the other parameters: SHA-256 in base64url. */
  readonly parameters: string
  readonly ids: readonly string[]
}

export interface Ec2State {
  /** True after the first call, which creates the resources of a fresh account. */
  prepared: boolean
  sequence: number
  /** The number of public addresses and IPv6 blocks allocated so far. */
  allocations: { addresses: number; ipv6Blocks: number }
  readonly rows: { readonly [Name in keyof Rows]: Record<string, Rows[Name]> }
  /** By action and token. */
  readonly tokens: Record<string, TokenUse>
  /** Snapshots by id, with their size in GiB. */
  readonly snapshots: Record<string, { readonly size: number }>
  /**
   * Ids of resources that the simulator knows only by id: placement groups, dedicated hosts, capacity reservations.
   */
  readonly references: Record<string, true>
  /** IPAM pools of IPv6 addresses, by id. */
  readonly ipamPools: Record<string, { readonly cidr: string }>
  /** By subnet: the number of IPv4 addresses that were passed. Absent if none was assigned, and in older snapshots. */
  ipv4Cursors?: Record<string, number>
  /** The places where instance types are unavailable. */
  readonly supplies: Record<string, Supply>
  /** Requested failures. The next NAT gateways fail with these, in order. */
  natGatewayFailures: GatewayFailure[]
  /** The next IPv6 blocks of VPCs and subnets fail with these, in order. Absent in older snapshots. */
  ipv6BlockFailures?: readonly Ipv6BlockFailure[]
}

export const emptyState = (): Ec2State => ({
  prepared: false,
  sequence: 0,
  allocations: { addresses: 0, ipv6Blocks: 0 },
  rows: {
    vpcs: {},
    subnets: {},
    subnetReservations: {},
    dhcpOptions: {},
    internetGateways: {},
    egressOnlyGateways: {},
    routeTables: {},
    networkAcls: {},
    securityGroups: {},
    addresses: {},
    natGateways: {},
    vpcEndpoints: {},
    networkInterfaces: {},
    keyPairs: {},
    volumes: {},
    images: {},
    instances: {},
  },
  tokens: {},
  snapshots: {},
  references: {},
  ipamPools: {},
  supplies: {},
  natGatewayFailures: [],
})
