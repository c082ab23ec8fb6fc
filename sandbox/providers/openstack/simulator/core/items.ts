/** A resource of the simulated cloud. Names that begin with `_` never leave the simulator. */
export interface CloudItem {
  readonly id: string
  /** The project that owns it. Empty: OpenStack itself. */
  readonly project_id: string
  readonly [field: string]: unknown
}

export interface FixedIp {
  readonly subnet_id: string
  readonly ip_address: string
}

export interface AllocationPool {
  readonly start: string
  readonly end: string
}

export interface GatewayInfo {
  readonly network_id: string
  readonly enable_snat: boolean
  readonly external_fixed_ips: readonly FixedIp[]
}

interface ItemWithName extends CloudItem {
  readonly name: string
}

/** A user with the projects in which it has roles. */
export interface UserItem extends ItemWithName {
  readonly domain: string
  readonly password: string
  /** Roles by name of the project: `member`, `reader`, `admin`, `net_gateway`. */
  readonly roles: Readonly<Record<string, readonly string[]>>
}

export interface ProjectItem extends ItemWithName {
  readonly domain: string
}

/** A credential of a user in the project `project_id`. */
export interface ApplicationCredentialItem extends ItemWithName {
  readonly user_id: string
  readonly secret: string
  readonly roles: readonly string[]
  /** ms since the epoch. Null: it never expires. */
  readonly expires: number | null
}

export interface NetworkItem extends ItemWithName {
  readonly shared: boolean
  readonly 'router:external': boolean
}

export interface SubnetItem extends ItemWithName {
  readonly network_id: string
  readonly ip_version: 4 | 6
  readonly cidr: string
  readonly gateway_ip: string | null
  readonly allocation_pools: readonly AllocationPool[]
  readonly subnetpool_id: string | null
  readonly ipv6_address_mode: string | null
}

export interface SubnetPoolItem extends ItemWithName {
  readonly prefixes: readonly string[]
  readonly default_prefixlen: number
  readonly shared: boolean
}

export interface PortItem extends ItemWithName {
  readonly network_id: string
  readonly status: string
  readonly mac_address: string
  readonly device_id: string
  readonly device_owner: string
  readonly fixed_ips: readonly FixedIp[]
  readonly security_groups: readonly string[]
}

export interface RouterItem extends ItemWithName {
  readonly external_gateway_info: GatewayInfo | null
  readonly routes: readonly { readonly destination: string; readonly nexthop: string }[]
}

export interface FloatingIpItem extends CloudItem {
  readonly floating_network_id: string
  readonly floating_ip_address: string
  readonly port_id: string | null
  readonly router_id: string | null
  readonly fixed_ip_address: string | null
}

export interface SecurityGroupItem extends ItemWithName {
  readonly description: string
}

export interface SecurityGroupRuleItem extends CloudItem {
  readonly security_group_id: string
  readonly direction: string
  readonly ethertype: string
  readonly protocol: string | null
  readonly port_range_min: number | null
  readonly port_range_max: number | null
  readonly remote_ip_prefix: string | null
  readonly remote_group_id: string | null
}

/** `id`: user and name. */
export interface KeypairItem extends ItemWithName {
  readonly user_id: string
  readonly public_key: string
  readonly fingerprint: string
}

export interface ServerGroupItem extends ItemWithName {
  readonly user_id: string
  readonly policy: string
  readonly rules: object
}

export interface FlavorItem extends ItemWithName {
  readonly vcpus: number
  readonly ram: number
  readonly disk: number
}

export interface ServerItem extends ItemWithName {
  readonly user_id: string
  readonly status: string
  readonly flavor: string
  readonly image: string | null
  readonly security_groups: readonly string[]
  readonly _group: string | null
  /** The ports that Nova created, which end with the server. */
  readonly _ownPorts: readonly string[]
}

export interface ImageItem extends ItemWithName {
  readonly visibility: string
}

export interface ZoneItem extends ItemWithName {
  readonly status: string
  readonly action: string
}

export interface RecordSetItem extends ItemWithName {
  readonly zone_id: string
  readonly type: string
  readonly records: readonly string[]
  readonly ttl: number | null
  readonly status: string
  readonly action: string
  /** Designate created it with the zone. */
  readonly _managed: boolean
}

export interface LoadBalancerItem extends ItemWithName {
  readonly vip_subnet_id: string
  readonly vip_port_id: string
  readonly provisioning_status: string
}

export interface ListenerItem extends ItemWithName {
  readonly loadbalancer_id: string
}

export interface ShareNetworkItem extends ItemWithName {
  readonly neutron_net_id: string | null
  readonly neutron_subnet_id: string | null
}

/** `id`: project and name. */
export type ContainerItem = ItemWithName

/** `id`: project, container and name. */
export interface ObjectItem extends ItemWithName {
  readonly container: string
  readonly body: string
  /** The status of a deletion, as in `403 Forbidden`. Null: it succeeds. */
  readonly _refusal: string | null
}

/** The types of resources. */
export interface ItemTypes {
  readonly user: UserItem
  readonly project: ProjectItem
  readonly applicationCredential: ApplicationCredentialItem
  readonly network: NetworkItem
  readonly subnet: SubnetItem
  readonly subnetPool: SubnetPoolItem
  readonly port: PortItem
  readonly router: RouterItem
  readonly floatingIp: FloatingIpItem
  readonly securityGroup: SecurityGroupItem
  readonly securityGroupRule: SecurityGroupRuleItem
  readonly keypair: KeypairItem
  readonly serverGroup: ServerGroupItem
  readonly flavor: FlavorItem
  readonly server: ServerItem
  readonly image: ImageItem
  readonly zone: ZoneItem
  readonly recordSet: RecordSetItem
  readonly loadBalancer: LoadBalancerItem
  readonly listener: ListenerItem
  readonly shareNetwork: ShareNetworkItem
  readonly container: ContainerItem
  readonly object: ObjectItem
}
export type ItemKind = keyof ItemTypes
