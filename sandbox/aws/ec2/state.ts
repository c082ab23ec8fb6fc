import type { Timestamp } from '../../../shared/clock/clock.ts'

/*
 * Everything that EC2 keeps of an account in a region: plain JSON data. A row is never changed in place but
 * replaced as a whole, so that the indexes of its table cannot go stale. What moves with time (`pending`,
 * `available`) is not stored: it follows from the times in the row and the clock.
 */

export interface Tag {
  readonly Key: string
  readonly Value: string
}

/** What every resource has. */
export interface Resource {
  readonly id: string
  /** Order of creation in the region; lists are in this order. */
  readonly sequence: number
  readonly createdAt: Timestamp
  readonly tags: readonly Tag[]
  /** From then on EC2 knows nothing of it any more. */
  readonly goneAt?: Timestamp | undefined
}

/** A CIDR block of a VPC or subnet. */
export interface CidrAssociation {
  readonly id: string
  /** Canonical. */
  readonly cidr: string
  readonly since: Timestamp
  /** When it was disassociated. */
  readonly until?: Timestamp | undefined
}

export interface Ipv6Association extends CidrAssociation {
  /** Whose pool the block is from: `Amazon`, or an IPAM pool's id. */
  readonly pool: string
}

export interface Vpc extends Resource {
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

export interface Subnet extends Resource {
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

export interface SubnetReservation extends Resource {
  readonly subnetId: string
  readonly cidr: string
  readonly type: 'prefix' | 'explicit'
  readonly description: string | undefined
}

export interface DhcpOptions extends Resource {
  readonly configurations: readonly { readonly key: string; readonly values: readonly string[] }[]
}

export interface InternetGateway extends Resource {
  readonly vpcId: string | undefined
}

export interface EgressOnlyGateway extends Resource {
  readonly vpcId: string
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
  /** Absent in the association that makes a table the main one of its VPC. */
  readonly subnetId?: string | undefined
}

/** The local routes follow from the VPC's blocks, those of gateway endpoints from the endpoints. */
export interface RouteTable extends Resource {
  readonly vpcId: string
  readonly routes: readonly Route[]
  readonly associations: readonly RouteTableAssociation[]
}

export interface AclEntry {
  readonly number: number
  readonly egress: boolean
  readonly allow: boolean
  readonly cidr: string
}

export interface NetworkAcl extends Resource {
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
  /** Absent with protocols that have no ports. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly peer: Peer
  readonly description?: string | undefined
  readonly tags: readonly Tag[]
}

export interface SecurityGroup extends Resource {
  readonly vpcId: string
  readonly name: string
  readonly description: string
  readonly rules: readonly SecurityGroupRule[]
}

export interface Address extends Resource {
  readonly publicIp: string
  /** Holds for as long as the interface exists. */
  readonly association?: AddressAssociation | undefined
}

export interface AddressAssociation {
  readonly id: string
  readonly networkInterfaceId: string
  readonly privateIp: string
}

export interface Failure {
  readonly code: string
  readonly message: string
}

export interface NatGatewayAddress {
  readonly allocationId?: string | undefined
  readonly associationId?: string | undefined
  readonly networkInterfaceId: string
  readonly privateIp: string
  readonly publicIp?: string | undefined
}

export interface NatGateway extends Resource {
  readonly vpcId: string
  readonly subnetId: string
  readonly connectivity: 'public' | 'private'
  readonly addresses: readonly NatGatewayAddress[]
  /** It ends in state `failed` for this reason. */
  readonly failure?: Failure | undefined
  readonly deletedAt?: Timestamp | undefined
}

export interface VpcEndpoint extends Resource {
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
  /** Absent where a service holds the interface. */
  readonly instanceId?: string | undefined
  /** `amazon-aws`, `amazon-elb`, or the account. */
  readonly ownerId: string
  readonly until?: Timestamp | undefined
}

export interface NetworkInterface extends Resource {
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
  /** The service that made it, as `RequesterId`. */
  readonly requester?: string | undefined
  readonly attachment?: Attachment | undefined
  /** An address of Amazon's pool that lasts as long as the interface is attached. */
  readonly publicIp?: string | undefined
}

export interface KeyPair extends Resource {
  readonly name: string
  readonly type: 'rsa' | 'ed25519'
  readonly fingerprint: string
  /** In OpenSSH format. */
  readonly publicKey: string
}

export interface Volume extends Resource {
  readonly zone: string
  /** GiB. */
  readonly size: number
  readonly type: string
  readonly iops: number | undefined
  /** MiB/s. */
  readonly throughput: number | undefined
  readonly encrypted: boolean
  readonly kmsKeyId: string | undefined
  readonly snapshotId: string | undefined
  readonly deletedAt?: Timestamp | undefined
  readonly attachment?: VolumeAttachment | undefined
}

export interface VolumeAttachment {
  readonly instanceId: string
  readonly device: string
  readonly at: Timestamp
  readonly deleteOnTermination: boolean
  readonly until?: Timestamp | undefined
}

export interface Image extends Resource {
  readonly name: string
  readonly description: string
  readonly architecture: 'x86_64' | 'arm64'
  readonly ownerId: string
  readonly ownerAlias: string | undefined
  readonly isPublic: boolean
  readonly rootDeviceName: string
  /** GiB. */
  readonly rootSize: number
  readonly snapshotId: string
}

export interface MetadataOptions {
  readonly httpTokens: 'optional' | 'required'
  readonly hopLimit: number
  readonly endpoint: 'enabled' | 'disabled'
  readonly ipv6: 'enabled' | 'disabled'
  readonly tags: 'enabled' | 'disabled'
}

export interface Instance extends Resource {
  readonly reservationId: string
  readonly launchIndex: number
  readonly imageId: string
  readonly architecture: 'x86_64' | 'arm64'
  readonly instanceType: string
  readonly vpcId: string
  readonly subnetId: string
  readonly zone: string
  readonly keyName: string | undefined
  readonly clientToken: string
  readonly userData: string | undefined
  readonly rootDeviceName: string
  readonly instanceProfile?: { readonly arn: string; readonly id: string } | undefined
  readonly metadata: MetadataOptions
  readonly cpu: { readonly cores: number; readonly threads: number; readonly amdSevSnp?: string | undefined }
  readonly placement: {
    readonly tenancy: string
    readonly groupId?: string | undefined
    readonly groupName?: string | undefined
    readonly hostId?: string | undefined
    readonly partition?: number | undefined
    readonly affinity?: string | undefined
  }
  readonly capacityReservation: {
    readonly preference?: string | undefined
    readonly id?: string | undefined
    readonly groupArn?: string | undefined
  }
  readonly spotRequestId?: string | undefined
  readonly hostnameType: 'ip-name' | 'resource-name'
  readonly aRecord: boolean
  readonly aaaaRecord: boolean
  readonly ebsOptimized: boolean
  readonly monitoring: boolean
  readonly terminationProtected: boolean
  readonly shutdownBehavior: 'stop' | 'terminate'
  /** When it was last started. */
  readonly startedAt: Timestamp
  readonly stoppedAt?: Timestamp | undefined
  readonly terminatedAt?: Timestamp | undefined
}

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
  /** The other parameters, as canonical JSON. */
  readonly parameters: string
  readonly ids: readonly string[]
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
  readonly ipamPools: Record<string, { readonly cidr: string }>
  /** Failures on order: the next NAT gateways to be made fail with these, in turn. */
  natGatewayFailures: Failure[]
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
  natGatewayFailures: [],
})
