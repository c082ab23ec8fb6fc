import type { State } from '../../engine/engine.ts'
import type { InfrastructureConfig } from './config/config.ts'
import { hasOwnSubnets } from './config/problems/zone-problems.ts'
import { hasEfa, hasOverlay, type ShootFacts } from './shoot.ts'
import { createdForKey, isNothingMade, withSuffixes } from './state.ts'

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
  /**
   * The uid in marks and tokens: the one in the state, else that of the shoot. The shoot's uid stays the same when the
   * Infrastructure object is migrated or recreated.
   */
  readonly uid: string
  /** Further uids that our marks may have: those of the shoot and of the object. */
  readonly otherUids: readonly string[]
  /** Of the shoot: creation token of the file system. */
  readonly shootUid: string
  /** The object has no state: no step has created anything yet, or the state was lost. */
  readonly stateless: boolean
  /** The VPC in which the operator declares the cluster's tag to mean this shoot. */
  readonly adopt: string | undefined
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

/** Whose infrastructure it is, as the object says it. */
export interface ShootIdentity {
  /** See `DesiredInfrastructure`. */
  readonly clusterName: string
  /** Of the Infrastructure object. */
  readonly uid: string
  /** See `DesiredInfrastructure`. */
  readonly adopt?: string | undefined
  readonly region: string
  /** Base64 of OpenSSH's format. */
  readonly sshPublicKey: string | undefined
  readonly shoot: ShootFacts
}

/**
 * What the infrastructure of a shoot shall be, and the state with what that was made with: the suffixes of the zones.
 *
 * @param config checked. For a deletion it need not be: then what is missing is empty
 * @param state decoded: what was made before
 */
export const desiredInfrastructure = (
  { clusterName, uid: objectUid, adopt, region, sshPublicKey, shoot }: ShootIdentity,
  config: InfrastructureConfig,
  state: State,
): { readonly desired: DesiredInfrastructure; readonly state: State } => {
  const { networks, elasticFileSystem, ignoreTags } = config
  const ipFamilies = familiesOf(shoot)
  const shootUid = shoot.uid ?? objectUid
  const uid = state[createdForKey] ?? shootUid
  const suffixed = withSuffixes(
    networks.zones.map(zone => zone.name),
    state,
  )
  return {
    state: { ...suffixed.state, [createdForKey]: uid },
    desired: {
      clusterName,
      uid,
      otherUids: [...new Set([shootUid, objectUid])].filter(other => other !== uid && other !== ''),
      shootUid,
      stateless: isNothingMade(state),
      adopt: networks.vpc.id === undefined || networks.vpc.id === adopt ? adopt : undefined,
      region,
      ipFamilies,
      vpc: vpcOf(config, ipFamilies),
      gatewayEndpoints: [...new Set(networks.vpc.gatewayEndpoints)],
      zones: zonesOf(config, shoot, ipFamilies, suffixed.suffixOf),
      nodesSecurityGroup: networks.nodesSecurityGroupID,
      efa: hasEfa(shoot),
      fileSystem: elasticFileSystem?.enabled ? { id: elasticFileSystem.id } : undefined,
      ecrAccess: config.enableECRAccess ?? true,
      sshPublicKey: sshPublicKey ? Buffer.from(sshPublicKey, 'base64').toString() : undefined,
      ignoreTags: { keys: ignoreTags?.keys ?? [], keyPrefixes: ignoreTags?.keyPrefixes ?? [] },
    },
  }
}

/** The API server fills in IPv4 where a shoot says nothing. */
const familiesOf = ({ networking }: ShootFacts): readonly IpFamily[] => {
  const known = (networking.ipFamilies ?? []).filter(
    (family): family is IpFamily => family === 'IPv4' || family === 'IPv6',
  )
  return known.length === 0 ? ['IPv4'] : known
}

const vpcOf = (
  { networks: { vpc }, dualStack, enableDedicatedTenancyForVPC }: InfrastructureConfig,
  ipFamilies: readonly IpFamily[],
): ManagedVpc | ExistingVpc => {
  const ipv6 = dualStack?.enabled === true || ipFamilies.includes('IPv6')
  if (vpc.id !== undefined) return { kind: 'existing', id: vpc.id, ipv6 }
  const pool = vpc.ipv6IpamPool
  return {
    kind: 'managed',
    cidr: vpc.cidr ?? '',
    dedicatedTenancy: enableDedicatedTenancyForVPC ?? false,
    ipv6: !ipv6
      ? undefined
      : pool?.id === undefined
        ? { kind: 'amazon' }
        : { kind: 'pool', poolId: pool.id, cidr: pool.cidrBlock },
  }
}

const zonesOf = (
  config: InfrastructureConfig,
  shoot: ShootFacts,
  ipFamilies: readonly IpFamily[],
  suffixOf: (zone: string) => string,
): DesiredInfrastructure['zones'] => {
  const { zones } = config.networks
  // A config with a zone twice does not get here to be made; what is there of it has to be deleted all the same.
  const once = zones.flatMap((zone, index) =>
    zones.findIndex(({ name }) => name === zone.name) === index ? [{ ...zone, index }] : [],
  )
  const hasIpv4 = ipFamilies.includes('IPv4')
  if (hasOwnSubnets(config)) {
    return {
      kind: 'own',
      zones: once.map(zone => ({
        name: zone.name,
        suffix: suffixOf(zone.name),
        workers: zone.workersSubnetID ?? '',
        internal: zone.internalSubnetID,
        public: zone.publicSubnetID,
      })),
      tagRouteTables: hasIpv4 && !hasOverlay(shoot),
    }
  }
  return {
    kind: 'managed',
    zones: once.map(zone => ({
      name: zone.name,
      suffix: suffixOf(zone.name),
      index: zone.index,
      workers: hasIpv4 ? zone.workers : undefined,
      internal: zone.internal ?? '',
      public: zone.public ?? '',
      elasticIp: zone.elasticIPAllocationID,
    })),
  }
}
