import type { Cluster } from '../../../shared/contract/schemas/cluster.ts'
import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { InfrastructureConfig } from '../../../terraform-free-infra/aws/infrastructure/config/config.ts'
import { hasOwnSubnets } from '../../../terraform-free-infra/aws/infrastructure/config/problems/zone-problems.ts'
import type {
  DesiredInfrastructure,
  ExistingVpc,
  IpFamily,
  ManagedVpc,
} from '../../../terraform-free-infra/aws/infrastructure/desired-infrastructure.ts'
import type { State } from '../../../terraform-free-infra/engine/engine.ts'
import { hasEfa, hasOverlay, networkingOf } from './shoot.ts'
import { withSuffixes } from './zone-suffixes.ts'

export interface GoalInput {
  readonly object: Infrastructure
  readonly cluster: Cluster | undefined
  /** Of the object, checked. For a deletion it need not be: then what is missing is empty. */
  readonly config: InfrastructureConfig
  /** Decoded. */
  readonly state: State
}

export interface Goal {
  readonly desired: DesiredInfrastructure
  /** As given, with what the wish was made with: the suffixes of the zones. */
  readonly state: State
}

/** What the infrastructure of a shoot shall be, from the object, its Cluster and what was made before. */
export const goalOf = ({ object, cluster, config, state }: GoalInput): Goal => {
  const { name, namespace = name, uid = '' } = object.metadata
  const { networks, elasticFileSystem, ignoreTags } = config
  const ipFamilies = familiesOf(cluster)
  const suffixed = withSuffixes(
    networks.zones.map(zone => zone.name),
    state,
  )
  return {
    state: suffixed.state,
    desired: {
      clusterName: namespace,
      uid,
      shootUid: cluster?.spec.shoot.metadata?.uid ?? uid,
      region: object.spec.region,
      ipFamilies,
      vpc: vpcOf(config, ipFamilies),
      gatewayEndpoints: [...new Set(networks.vpc.gatewayEndpoints)],
      zones: zonesOf(config, cluster, ipFamilies, suffixed.suffixOf),
      nodesSecurityGroup: networks.nodesSecurityGroupID,
      efa: hasEfa(cluster),
      fileSystem: elasticFileSystem?.enabled ? { id: elasticFileSystem.id } : undefined,
      ecrAccess: config.enableECRAccess ?? true,
      sshPublicKey: sshPublicKeyOf(object),
      ignoreTags: { keys: ignoreTags?.keys ?? [], keyPrefixes: ignoreTags?.keyPrefixes ?? [] },
    },
  }
}

/** The API server fills in IPv4 where a shoot says nothing. */
const familiesOf = (cluster: Cluster | undefined): readonly IpFamily[] => {
  const known = (networkingOf(cluster).ipFamilies ?? []).filter(
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
  cluster: Cluster | undefined,
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
      tagRouteTables: hasIpv4 && !hasOverlay(cluster),
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

const sshPublicKeyOf = ({ spec: { sshPublicKey } }: Infrastructure): string | undefined =>
  sshPublicKey ? Buffer.from(sshPublicKey, 'base64').toString() : undefined
