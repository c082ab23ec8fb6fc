/** An IP family of a shoot, as `shoot.spec.networking.ipFamilies` names it. */
export type IpFamily = 'IPv4' | 'IPv6'

/** A VPC that is made, and deleted with the shoot. */
export interface ManagedVpc {
  readonly kind: 'managed'
  /** Canonical IPv4 CIDR; a VPC has one even when the shoot is IPv6 only. */
  readonly cidr: string
  readonly dedicatedTenancy: boolean
  /** Where its IPv6 block comes from; undefined: it has none. */
  readonly ipv6:
    | { readonly kind: 'amazon' }
    | { readonly kind: 'pool'; readonly poolId: string; readonly cidr: string | undefined }
    | undefined
}

/** The user's VPC: nothing of it is changed, and it stays. */
export interface ExistingVpc {
  readonly kind: 'existing'
  readonly id: string
  /** Its subnets shall have IPv6 blocks. */
  readonly ipv6: boolean
}

/** A zone whose subnets are made. */
export interface ManagedZone {
  readonly name: string
  /** `z0`: from the state, or the smallest one that is free. Never changes. */
  readonly suffix: string
  /** Position in the config, which chooses the /64 of each subnet (docs/contract/provider-aws.md#subnets). */
  readonly index: number
  /** IPv4 CIDRs, canonical. Workers: undefined when the nodes have no IPv4. */
  readonly workers: string | undefined
  readonly internal: string
  readonly public: string
  /** Allocation id of the user's address for the NAT gateway; undefined: one is allocated. */
  readonly elasticIp: string | undefined
}

/** A zone with the user's subnets. */
export interface OwnZone {
  readonly name: string
  readonly suffix: string
  readonly workers: string
  readonly internal: string | undefined
  readonly public: string | undefined
}

/**
 * What the infrastructure of a shoot shall be: everything that the config, the shoot and the state say, checked and
 * with its defaults. Gardener's Go extension reads the same (docs/contract/provider-aws.md#infrastructureconfig).
 */
export interface DesiredInfrastructure {
  /**
   * The technical id of the shoot, which is its namespace in the seed: part of names and tags
   * (docs/contract/provider-aws.md#names-and-tags).
   */
  readonly clusterName: string
  /** Of the Infrastructure object; tokens are made of it. */
  readonly uid: string
  /** Of the shoot: creation token of the file system. */
  readonly shootUid: string
  readonly region: string
  /** At least one. */
  readonly ipFamilies: readonly IpFamily[]
  readonly vpc: ManagedVpc | ExistingVpc
  /** Names of services, such as `s3`. */
  readonly gatewayEndpoints: readonly string[]
  readonly zones:
    | { readonly kind: 'managed'; readonly zones: readonly ManagedZone[] }
    | {
        readonly kind: 'own'
        readonly zones: readonly OwnZone[]
        /** The route tables of the workers get the cluster's tag: overlay off, and not IPv6 only. */
        readonly tagRouteTables: boolean
      }
  /** The user's security group for the nodes; undefined: one is made. */
  readonly nodesSecurityGroup: string | undefined
  /** A worker pool uses `efa` or `efa-only` interfaces: the nodes' group lets all out to itself. */
  readonly efa: boolean
  /** Undefined: no EFS. `id`: the user's file system, which only gets mount targets. */
  readonly fileSystem: { readonly id: string | undefined } | undefined
  readonly ecrAccess: boolean
  /** In OpenSSH's format; undefined: no key pair. */
  readonly sshPublicKey: string | undefined
  /** Tags that are neither added nor removed. */
  readonly ignoreTags: { readonly keys: readonly string[]; readonly keyPrefixes: readonly string[] }
}
