import * as z from 'zod'
import type { Problem } from '../../../shared/decode/problems.ts'
import type { State } from '../../engine/engine.ts'
import type { InfrastructureConfig } from './config/config.ts'
import type { ShootNetworking } from './config/problems/cidr-problems.ts'
import { hasOwnSubnets } from './config/problems/zone-problems.ts'
import { createdForKey, isNothingMade, withSuffixes } from './state.ts'

/** An IP family of a shoot, as in `shoot.spec.networking.ipFamilies`. */
export type IpFamily = 'IPv4' | 'IPv6'

/** A VPC that is created for the shoot and deleted with it. */
export interface ManagedVpc {
  readonly kind: 'managed'
  /** Canonical IPv4 CIDR. A VPC has one even if the shoot is IPv6 only. */
  readonly cidr: string
  readonly dedicatedTenancy: boolean
  /** The source of its IPv6 block. Undefined: it has no IPv6 block. */
  readonly ipv6:
    | { readonly kind: 'amazon' }
    | { readonly kind: 'pool'; readonly poolId: string; readonly cidr: string | undefined }
    | undefined
}

/** The user's VPC. It is never changed or deleted. */
export interface ExistingVpc {
  readonly kind: 'existing'
  readonly id: string
  /** True if its subnets need IPv6 blocks. */
  readonly ipv6: boolean
}

/** A zone with created subnets. */
export interface ManagedZone {
  readonly name: string
  /** `z0`: from the state, or the lowest free one. Never changes. */
  readonly suffix: string
  /** Position in the config. It determines the /64 of each subnet (docs/contract/provider-aws.md#subnets). */
  readonly index: number
  /** Canonical IPv4 CIDRs. `workers` is undefined if the nodes have no IPv4. */
  readonly workers: string | undefined
  readonly internal: string
  readonly public: string
  /** Allocation id of the user's address for the NAT gateway. Undefined: an address is allocated. */
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
 * The desired infrastructure of a shoot, derived from the config, the shoot and the state, with defaults applied.
 * Gardener's Go extension uses the same inputs (docs/contract/provider-aws.md#infrastructureconfig).
 */
export interface DesiredInfrastructure {
  /**
   * The technical id of the shoot, which is its namespace in the seed. Part of names and tags
   * (docs/contract/provider-aws.md#names-and-tags).
   */
  readonly clusterName: string
  /**
   * The uid in marks and tokens: that of the state, otherwise that of the shoot. The shoot's uid does not change when
   * the Infrastructure object is migrated or recreated.
   */
  readonly uid: string
  /** Other uids that our marks may contain: those of the shoot and of the object. */
  readonly otherUids: readonly string[]
  /** The uid of the shoot. Used as the creation token of the file system. */
  readonly shootUid: string
  /** True if the object has no state: no step has created anything yet, or the state was lost. */
  readonly stateless: boolean
  /** The VPC for which the operator declares that the cluster's tag means this shoot. */
  readonly adopt: string | undefined
  readonly region: string
  /** At least one. */
  readonly ipFamilies: readonly IpFamily[]
  readonly vpc: ManagedVpc | ExistingVpc
  /** Service names, such as `s3`. */
  readonly gatewayEndpoints: readonly string[]
  readonly zones:
    | { readonly kind: 'managed'; readonly zones: readonly ManagedZone[] }
    | {
        readonly kind: 'own'
        readonly zones: readonly OwnZone[]
        /** True if the workers' route tables get the cluster's tag: without overlay, and not IPv6 only. */
        readonly tagRouteTables: boolean
      }
  /** The user's security group for the nodes. Undefined: one is created. */
  readonly nodesSecurityGroup: string | undefined
  /** True if a worker pool uses `efa` or `efa-only` interfaces. The nodes' group then allows all egress to itself. */
  readonly efa: boolean
  /** Undefined: no EFS. `id`: the user's file system, for which only mount targets are created. */
  readonly fileSystem: { readonly id: string | undefined } | undefined
  readonly ecrAccess: boolean
  /** In OpenSSH format. Undefined: no key pair. */
  readonly sshPublicKey: string | undefined
  /** Tags that are neither added nor removed. */
  readonly ignoreTags: { readonly keys: readonly string[]; readonly keyPrefixes: readonly string[] }
}

/** The owner of the infrastructure, as declared by the object. */
export interface ShootIdentity {
  /** See `DesiredInfrastructure`. */
  readonly clusterName: string
  /** The uid of the Infrastructure object. */
  readonly uid: string
  /** See `DesiredInfrastructure`. */
  readonly adopt?: string | undefined
  readonly region: string
  /** Base64 of the OpenSSH format. */
  readonly sshPublicKey: string | undefined
  readonly shoot: ShootFacts
}

/**
 * Returns the desired infrastructure of a shoot, and the state with the zone suffixes it uses.
 *
 * @param config checked. May be unchecked for a deletion; missing values are then empty
 * @param state decoded: the resources created before
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

/** The API server sets IPv4 if a shoot has no IP families. */
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
  // A config with a repeated zone is refused before a creation, but existing resources of it must still be deleted.
  const once = zones.flatMap((zone, index) =>
    zones.findIndex(({ name }) => name === zone.name) === index ? [{ ...zone, index }] : [],
  )
  const hasIpv4 = ipFamilies.includes('IPv4')
  if (hasOwnSubnets(config))
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

/**
 * The facts about a shoot that its infrastructure needs. Fields of type `unknown` have a provider format and are parsed
 * here.
 */
export interface ShootFacts {
  readonly uid: string | undefined
  readonly networking: ShootNetworking
  /** `spec.networking.providerConfig` */
  readonly networkConfig: unknown
  /** The `providerConfig` of each worker pool. */
  readonly workerConfigs: readonly unknown[]
  /** The `spec` of its CloudProfile. */
  readonly cloudProfile: unknown
}

const overlay = z.looseObject({ overlay: z.looseObject({ enabled: z.boolean().nullish() }).nullish() })

/** Returns true if pods have an overlay network. Default: true. */
const hasOverlay = ({ networkConfig }: ShootFacts): boolean =>
  overlay.safeParse(networkConfig).data?.overlay?.enabled ?? true

const workerConfig = z.looseObject({
  networkInterfaces: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
})

const poolsOf = ({ workerConfigs }: ShootFacts) =>
  workerConfigs.map(config => workerConfig.safeParse(config ?? {}))

/**
 * Returns true if a worker pool has network interfaces for EFA. Their traffic is only allowed by the group's rules for
 * itself.
 */
const hasEfa = (shoot: ShootFacts): boolean =>
  poolsOf(shoot).some(({ data }) =>
    (data?.networkInterfaces ?? []).some(({ type }) => type === 'efa' || type === 'efa-only'),
  )

/**
 * Returns a problem for each worker pool with a config that does not show whether it has network interfaces for EFA.
 */
export const workerProblems = (shoot: ShootFacts): readonly Problem[] =>
  poolsOf(shoot).flatMap(({ success }, index) =>
    success
      ? []
      : {
          path: `shoot.spec.provider.workers[${index}].providerConfig.networkInterfaces`,
          message: 'expected a list of objects with a type, found something else',
        },
  )

const profile = z.looseObject({
  regions: z
    .array(z.looseObject({ name: z.string(), zones: z.array(z.looseObject({ name: z.string() })).nullish() }))
    .nullish(),
})

/** Returns the zones that the CloudProfile offers in a region, or undefined if it does not contain the region. */
export const offeredZones = (
  { cloudProfile }: Pick<ShootFacts, 'cloudProfile'>,
  region: string,
): readonly string[] | undefined => {
  const { data } = profile.safeParse(cloudProfile ?? {})
  const known = data?.regions?.find(({ name }) => name === region)
  return known && (known.zones ?? []).map(({ name }) => name)
}
