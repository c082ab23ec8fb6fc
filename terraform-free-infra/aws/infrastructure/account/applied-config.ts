import type { SecurityGroup, Subnet, Vpc } from '@aws-sdk/client-ec2'
import type { State } from '../../../engine/engine.ts'
import type { ConfigZone, InfrastructureConfig } from '../config/config.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { nodesGroupName } from '../network/nodes-group/nodes-group.ts'
import { zoneKey } from '../state.ts'
import { fileSystemInState } from '../storage/efs-reads.ts'
import { isCluster, isMarked, subnetKinds } from '../tags.ts'

export interface AppliedInput {
  readonly desired: Pick<DesiredInfrastructure, 'clusterName' | 'uid' | 'otherUids' | 'ipFamilies'>
  readonly state: State
  /** The config to apply now. */
  readonly config: InfrastructureConfig
  /** The observed resources of the VPC in the state. Empty if it was not found. */
  readonly vpcs: readonly Vpc[]
  readonly subnets: readonly Subnet[]
  readonly groups: readonly SecurityGroup[]
}

/**
 * Returns the last applied config, as far as it can be derived from the state and the account; unknown parts are taken
 * from the present config. It is stored nowhere, because the state has the format of Gardener's Go extension, which
 * must be able to continue with it.
 */
export const appliedConfig = (input: AppliedInput): InfrastructureConfig => {
  const { config, state } = input
  return {
    ...config,
    ...appliedTenancy(input),
    elasticFileSystem: appliedFileSystem(state, config.elasticFileSystem),
    dualStack: wasDualStack(input) ? { ...config.dualStack, enabled: true } : config.dualStack,
    networks: {
      ...config.networks,
      vpc: appliedVpc(input),
      nodesSecurityGroupID: appliedGroup(input),
      zones: appliedZones(input),
    },
  }
}

/** Only a created VPC has DHCP options, and a default security group without rules. */
export const hasManagedVpc = ({ DHCPOptions, DefaultSecurityGroup }: State): boolean =>
  (DHCPOptions ?? DefaultSecurityGroup) !== undefined

const recordedVpc = ({ state, vpcs }: AppliedInput): Vpc | undefined =>
  vpcs.find(({ VpcId }) => VpcId === state.VPC)

const appliedVpc = (input: AppliedInput): InfrastructureConfig['networks']['vpc'] => {
  const { state, config, desired } = input
  const { vpc } = config.networks
  if (state.VPC === undefined) return vpc
  const there = recordedVpc(input)
  if (hasManagedVpc(state)) return { ...vpc, id: undefined, cidr: there?.CidrBlock ?? vpc.cidr }
  if (vpc.id !== undefined) return { ...vpc, id: state.VPC }
  // The state of an interrupted creation may contain only our VPC.
  if (there === undefined || isCluster(desired, there.Tags) || isMarked(desired, there.Tags)) return vpc
  return { ...vpc, id: state.VPC, cidr: undefined }
}

const appliedTenancy = (input: AppliedInput): Pick<InfrastructureConfig, 'enableDedicatedTenancyForVPC'> => {
  const { enableDedicatedTenancyForVPC: desiredValue } = input.config
  const tenancy = hasManagedVpc(input.state) ? recordedVpc(input)?.InstanceTenancy : undefined
  const applied = tenancy === undefined ? (desiredValue ?? false) : tenancy === 'dedicated'
  return applied === (desiredValue ?? false) ? {} : { enableDedicatedTenancyForVPC: applied }
}

const appliedFileSystem = (
  state: State,
  desiredValue: InfrastructureConfig['elasticFileSystem'],
): InfrastructureConfig['elasticFileSystem'] => {
  const known = fileSystemInState(state)
  if (known === undefined) return desiredValue
  const isAsDesired =
    desiredValue?.enabled === true && (desiredValue.id === known.given || desiredValue.id === known.made)
  return isAsDesired ? desiredValue : { enabled: true, ...(known.given !== undefined && { id: known.given }) }
}

/** If the shoot has no IPv6 family, only the config's switch gives the VPC a block. */
const wasDualStack = ({ desired, state }: AppliedInput): boolean =>
  hasManagedVpc(state) && state.VPCIPv6CidrBlock !== undefined && !desired.ipFamilies.includes('IPv6')

const appliedGroup = ({ desired, state, config, groups }: AppliedInput): string | undefined => {
  const there = groups.find(({ GroupId }) => GroupId === state.NodesSecurityGroup)
  if (there === undefined) return config.networks.nodesSecurityGroupID
  // The name of a group never changes, in contrast to its tags.
  return there.GroupName === nodesGroupName(desired) ? undefined : there.GroupId
}

/** Returns the former zones of the config, followed by those that it no longer contains. */
const appliedZones = (input: AppliedInput): readonly ConfigZone[] & ConfigZone[] => {
  const { state, config } = input
  const { zones } = config.networks
  const made = Object.keys(state).flatMap(
    key => /^Zones\/([^/]+)\/Subnet(?:Workers|P\w+Utility)$/.exec(key)?.[1] ?? [],
  )
  const gone = [...new Set(made)].filter(name => !zones.some(zone => zone.name === name))
  return [
    // If the config repeats a zone, only the first entry was created.
    ...zones.map((zone, index) =>
      zones.findIndex(({ name }) => name === zone.name) === index ? appliedZone(input, zone) : zone,
    ),
    ...gone.map(name => appliedZone(input, named(name))),
  ]
}

const named = (name: string): ConfigZone => ({
  name,
  internal: undefined,
  public: undefined,
  workers: undefined,
  workersSubnetID: undefined,
  publicSubnetID: undefined,
  internalSubnetID: undefined,
  elasticIPAllocationID: undefined,
})

const appliedZone = ({ state, subnets }: AppliedInput, zone: ConfigZone): ConfigZone => {
  const workers = state[zoneKey(zone.name, 'SubnetWorkers')]
  if (workers === undefined) return zone
  // The state contains ranges only for the user's subnets.
  const isOwn = state[`Zones/${zone.name}/SubnetWorkersCIDR`] !== undefined
  if (isOwn) return { ...zone, workersSubnetID: workers }
  const rangeOf = (kind: 'workers' | 'internal' | 'public') => {
    const id = state[zoneKey(zone.name, subnetKinds[kind].stateKey)]
    return subnets.find(({ SubnetId }) => SubnetId === id)?.CidrBlock ?? zone[kind]
  }
  return {
    ...zone,
    workers: rangeOf('workers'),
    internal: rangeOf('internal'),
    public: rangeOf('public'),
    workersSubnetID: undefined,
  }
}
