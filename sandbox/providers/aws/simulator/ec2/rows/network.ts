import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import type { Ec2Resource, Ec2Tag } from './resource.ts'

/** A CIDR block of a VPC or subnet. */
export interface CidrAssociation {
  readonly id: string
  /** Canonical. */
  readonly cidr: string
  readonly since: Timestamp
  /** The time of the disassociation. */
  readonly until?: Timestamp | undefined
  /** The reason why the association ends in state `failed`. */
  readonly failure?: string | undefined
}

/** The requested failure of an IPv6 block. */
export interface Ipv6BlockFailure {
  readonly of: 'vpc' | 'subnet'
  /** The status message of the association. */
  readonly message: string
}

export interface Ipv6Association extends CidrAssociation {
  /** The pool of the block: `Amazon`, or an IPAM pool's id. */
  readonly pool: string
}

export interface Vpc extends Ec2Resource {
  /** The first is the primary block. */
  readonly blocks: readonly CidrAssociation[]
  readonly ipv6Blocks: readonly Ipv6Association[]
  readonly dhcpOptionsId: string
  readonly tenancy: 'default' | 'dedicated'
  readonly isDefault: boolean
  readonly dnsSupport: boolean
  readonly dnsHostnames: boolean
  readonly addressUsageMetrics: boolean
}

export interface Subnet extends Ec2Resource {
  readonly vpcId: string
  readonly zone: string
  /** Absent in an IPv6-only subnet. */
  readonly cidr: string | undefined
  readonly ipv6Blocks: readonly CidrAssociation[]
  readonly ipv6Native: boolean
  readonly isDefault: boolean
  readonly mapPublicIp: boolean
  readonly assignIpv6: boolean
  readonly dns64: boolean
  readonly hostnameType: 'ip-name' | 'resource-name'
  readonly aRecord: boolean
  readonly aaaaRecord: boolean
}

export interface SubnetReservation extends Ec2Resource {
  readonly subnetId: string
  readonly cidr: string
  readonly type: 'prefix' | 'explicit'
  readonly description: string | undefined
}

export interface DhcpOptions extends Ec2Resource {
  readonly configurations: readonly { readonly key: string; readonly values: readonly string[] }[]
}

export interface InternetGateway extends Ec2Resource {
  readonly vpcId: string | undefined
}

export interface EgressOnlyGateway extends Ec2Resource {
  readonly vpcId: string
}

/** A virtual private gateway: the VPN end of a VPC. */
export interface VpnGateway extends Ec2Resource {
  readonly vpcId: string | undefined
  readonly amazonSideAsn: number
  /** The ranges that it has learned from its VPN connections. */
  readonly learned: readonly string[]
}

export type RouteTarget =
  | 'gateway'
  | 'nat-gateway'
  | 'egress-only-internet-gateway'
  | 'network-interface'
  | 'instance'

export interface Route {
  /** Canonical CIDR. */
  readonly destination: string
  readonly target: { readonly type: RouteTarget; readonly id: string }
}

export interface RouteTableAssociation {
  readonly id: string
  /** Absent for the association that makes a table the main one of its VPC. */
  readonly subnetId?: string | undefined
}

/**
 * Local routes are derived from the VPC's blocks, routes of gateway endpoints from the endpoints, and propagated routes
 * from the VPN gateways.
 */
export interface RouteTable extends Ec2Resource {
  readonly vpcId: string
  readonly routes: readonly Route[]
  /** The VPN gateways that propagate routes to the table. */
  readonly propagating?: readonly string[]
  readonly associations: readonly RouteTableAssociation[]
}

export interface AclEntry {
  readonly number: number
  readonly egress: boolean
  readonly allow: boolean
  readonly cidr: string
}

export interface NetworkAcl extends Ec2Resource {
  readonly vpcId: string
  readonly isDefault: boolean
  readonly entries: readonly AclEntry[]
  readonly associations: readonly { readonly id: string; readonly subnetId: string }[]
}

/** One source or destination of a rule. */
export type Peer =
  | { readonly type: 'ipv4' | 'ipv6'; readonly cidr: string }
  | { readonly type: 'prefix-list'; readonly id: string }
  | { readonly type: 'group'; readonly id: string; readonly userId: string }

export interface SecurityGroupRule {
  readonly id: string
  readonly egress: boolean
  /** `-1`, `tcp`, `udp`, `icmp`, `icmpv6` or a number. */
  readonly protocol: string
  /** Absent for protocols without ports. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly peer: Peer
  readonly description?: string | undefined
  readonly tags: readonly Ec2Tag[]
}

export interface SecurityGroup extends Ec2Resource {
  readonly vpcId: string
  readonly name: string
  readonly description: string
  readonly rules: readonly SecurityGroupRule[]
}

export interface Address extends Ec2Resource {
  readonly publicIp: string
  /** Valid as long as the interface exists. */
  readonly association?: AddressAssociation | undefined
}

export interface AddressAssociation {
  readonly id: string
  readonly networkInterfaceId: string
  readonly privateIp: string
  /** The end of its disassociation. */
  readonly until?: Timestamp | undefined
}

export interface GatewayFailure {
  readonly code: string
  readonly message: string
}

export interface NatGatewayAddress {
  /** The association of a secondary address, which is added to the gateway later. Absent in the primary one. */
  readonly since?: Timestamp | undefined
  /** The end of its disassociation. */
  readonly until?: Timestamp | undefined
  readonly allocationId?: string | undefined
  readonly associationId?: string | undefined
  readonly networkInterfaceId: string
  readonly privateIp: string
  readonly publicIp?: string | undefined
}

export interface NatGateway extends Ec2Resource {
  readonly vpcId: string
  readonly subnetId: string
  readonly connectivity: 'public' | 'private'
  readonly addresses: readonly NatGatewayAddress[]
  /** The reason why the gateway ends in state `failed`. */
  readonly failure?: GatewayFailure | undefined
  readonly deletedAt?: Timestamp | undefined
}

export interface VpcEndpoint extends Ec2Resource {
  readonly vpcId: string
  readonly type: 'Gateway' | 'Interface'
  readonly serviceName: string
  readonly policy: string
  readonly routeTableIds: readonly string[]
  readonly subnetIds: readonly string[]
  readonly groupIds: readonly string[]
  readonly networkInterfaceIds: readonly string[]
  readonly ipAddressType: 'ipv4' | 'ipv6' | 'dualstack'
  readonly dnsRecordIpType: string
  readonly privateDns: boolean
  readonly deletedAt?: Timestamp | undefined
}

export interface Attachment {
  readonly id: string
  readonly at: Timestamp
  readonly deviceIndex: number
  readonly networkCardIndex: number
  readonly deleteOnTermination: boolean
  /** Absent if a service holds the interface. */
  readonly instanceId?: string | undefined
  /** `amazon-aws`, `amazon-elb`, or the account. */
  readonly ownerId: string
  readonly until?: Timestamp | undefined
}

export interface NetworkInterface extends Ec2Resource {
  readonly vpcId: string
  readonly subnetId: string
  readonly zone: string
  readonly description: string
  readonly groupIds: readonly string[]
  /** `interface`, `nat_gateway`, `network_load_balancer`, `vpc_endpoint`, `efa`, … */
  readonly type: string
  /** Primary first; none in an IPv6-only subnet. */
  readonly ipv4: readonly string[]
  readonly ipv6: readonly string[]
  readonly ipv6Prefixes: readonly string[]
  readonly primaryIpv6: boolean
  readonly macAddress: string
  readonly sourceDestCheck: boolean
  /** The service that created it (`RequesterId`). */
  readonly requester?: string | undefined
  readonly attachment?: Attachment | undefined
  /** An address of Amazon's pool. It exists as long as the interface is attached. */
  readonly publicIp?: string | undefined
}
