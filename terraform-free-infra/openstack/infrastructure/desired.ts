import type { State } from '../../engine/engine.ts'
import type { CloudProfileConfig } from '../account/config/config.ts'
import { type InfrastructureConfig, ipv6RangesOf, workersOf } from './config/config.ts'
import { isDualStack, type ShootFamilies } from './config/config-problems.ts'
import { defaultFloatingSubnet } from './config/floating-subnet.ts'
import { createdForKey } from './state.ts'

/** The shoot and its object. */
export interface ShootIdentity {
  /** The technical id of the shoot: the namespace of the object, and the name of its resources. */
  readonly name: string
  readonly uid: string
  readonly region: string
  /** The key in the form of OpenSSH, in base64. */
  readonly sshPublicKey: string | undefined
}

/** The facts of the shoot's Cluster. */
export interface ShootFacts extends ShootFamilies {
  readonly nodes: string | undefined
  readonly pods: string | undefined
  readonly services: string | undefined
}

/** One subnet, by its purpose. */
export interface DesiredSubnet {
  readonly purpose: 'nodes' | 'nodes-ipv6' | 'pods' | 'services'
  readonly name: string
  readonly stateKey: string
  readonly family: 4 | 6
  readonly cidr: string | undefined
  readonly pool: { readonly id: string; readonly prefixLength?: number | undefined } | undefined
  readonly dnsServers: readonly string[]
}

/** The infrastructure of a shoot, as far as it is known before OpenStack is asked. */
export interface DesiredInfrastructure {
  readonly name: string
  /** The uid in marks: that of the object that first created resources. */
  readonly uid: string
  readonly floatingPool: string
  /** The pattern of subnets for the address of a new router. */
  readonly floatingSubnet: string | undefined
  readonly enableSnat: boolean | undefined
  /** The id of the user's network or router. Undefined: managed. */
  readonly givenNetwork: string | undefined
  readonly givenRouter: string | undefined
  readonly subnets: readonly DesiredSubnet[]
  readonly dualStack: boolean
  readonly shareNetwork: boolean
  readonly publicKey: string | undefined
  /** True if everything is to be deleted. */
  readonly destroying: boolean
}

/** The input of `desiredInfrastructure`. */
export interface DesiredInput {
  readonly identity: ShootIdentity
  readonly config: InfrastructureConfig
  readonly shoot: ShootFacts
  readonly cloudProfile: CloudProfileConfig | undefined
  /** The domain of the user, for floating pools of one domain. */
  readonly domain: string | undefined
  readonly state: State
  readonly destroying: boolean
}

export const desiredInfrastructure = ({
  identity: { name, uid, region, sshPublicKey },
  config,
  shoot,
  cloudProfile,
  domain,
  state,
  destroying,
}: DesiredInput): DesiredInfrastructure => {
  const { networks, floatingPoolName } = config
  const pools = cloudProfile?.constraints.floatingPools ?? []
  const [ofIpv4, ofIpv6] = subnetsOf(name, config, cloudProfile?.dnsServers ?? [])
  const dualStack = isDualStack(shoot)
  return {
    name,
    uid: state[createdForKey] ?? uid,
    floatingPool: floatingPoolName,
    floatingSubnet:
      (config.floatingPoolSubnetName ??
        defaultFloatingSubnet(pools, { name: floatingPoolName, region, domain })) ||
      undefined,
    enableSnat: cloudProfile?.useSNAT,
    givenNetwork: networks.id || undefined,
    givenRouter: networks.router?.id || undefined,
    // A deletion looks for nothing of IPv6 that the state does not name.
    subnets: [
      ...ofIpv4,
      ...ofIpv6.filter(({ stateKey }) => (destroying ? state[stateKey] !== undefined : dualStack)),
    ],
    dualStack,
    shareNetwork: networks.shareNetwork?.enabled === true || (destroying && state.ShareNetwork !== undefined),
    publicKey: sshPublicKey ? Buffer.from(sshPublicKey, 'base64').toString().trim() : undefined,
    destroying,
  }
}

const subnetsOf = (
  name: string,
  config: InfrastructureConfig,
  dnsServers: readonly string[],
): readonly [readonly DesiredSubnet[], readonly DesiredSubnet[]] => {
  const { subnetPool, ipv6 } = config.networks
  const ranges = ipv6RangesOf(config)
  const six = (
    purpose: DesiredSubnet['purpose'],
    suffix: string,
    stateKey: string,
    cidr: string | undefined,
  ): DesiredSubnet => ({
    purpose,
    name: `${name}-ipv6${suffix}`,
    stateKey,
    family: 6,
    cidr: cidr || undefined,
    pool: ranges === undefined && ipv6?.subnetPoolID ? { id: ipv6.subnetPoolID } : undefined,
    dnsServers: dnsServers.filter(server => server.includes(':')),
  })
  return [
    [
      {
        purpose: 'nodes',
        name,
        stateKey: 'Subnet',
        family: 4,
        cidr: subnetPool === undefined ? workersOf(config) : undefined,
        pool: subnetPool && { id: subnetPool.id, prefixLength: subnetPool.prefixLength ?? undefined },
        dnsServers: dnsServers.filter(server => !server.includes(':')),
      },
    ],
    [
      six('nodes-ipv6', '', 'SubnetIPv6', ranges?.nodeCIDR),
      six('pods', '-pod', 'SubnetIPv6Pod', ranges?.podCIDR),
      six('services', '-svc', 'SubnetIPv6Svc', ranges?.serviceCIDR),
    ],
  ]
}
