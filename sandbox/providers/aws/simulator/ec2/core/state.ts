import type { Image, Instance, KeyPair, Supply, Volume } from '../rows/compute.ts'
import type {
  Address,
  DhcpOptions,
  EgressOnlyGateway,
  GatewayFailure,
  InternetGateway,
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
import type { Ec2Tag } from '../rows/resource.ts'

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

export interface StoredIpam {
  readonly description: string | undefined
  readonly privateScope: string
  readonly publicScope: string
  readonly regions: readonly string[]
  readonly tags: readonly Ec2Tag[]
}

export interface StoredIpamPool {
  /** Empty: no CIDR is provisioned yet. */
  readonly cidr: string
  readonly scope?: string
  readonly locale?: string | undefined
  readonly description?: string | undefined
  readonly tags?: readonly Ec2Tag[]
}

export interface Ec2State {
  /** What AWS puts into a fresh account is made with the first call. */
  prepared: boolean
  sequence: number
  /** Public addresses and IPv6 blocks that were handed out. */
  allocations: { addresses: number; ipv6Blocks: number }
  readonly rows: { readonly [Name in keyof Rows]: Record<string, Rows[Name]> }
  /** By action and token. */
  readonly tokens: Record<string, TokenUse>
  /** Snapshots by id, with their size in GiB. */
  readonly snapshots: Record<string, { readonly size: number }>
  /** Ids of what the simulator knows by its id alone: placement groups, dedicated hosts, capacity reservations. */
  readonly references: Record<string, true>
  /** IPAM pools of IPv6 addresses, by id. */
  readonly ipamPools: Record<string, StoredIpamPool>
  /** IPAMs by id. Absent if there are none, and in older snapshots. */
  ipams?: Record<string, StoredIpam>
  /** By subnet: how many IPv4 addresses it has gone past. Absent where none was given out, and in older snapshots. */
  ipv4Cursors?: Record<string, number>
  /** Where instance types cannot be had. */
  readonly supplies: Record<string, Supply>
  /** Failures on order: the next NAT gateways to be made fail with these, in turn. */
  natGatewayFailures: GatewayFailure[]
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
