import {
  DescribeDhcpOptionsCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type SecurityGroup,
  type Tag,
  type Vpc,
} from '@aws-sdk/client-ec2'
import { GetRoleCommand } from '@aws-sdk/client-iam'
import type { State } from '../../../engine/engine.ts'
import { appliedConfig, hasManagedVpc } from '../account/applied-config.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureConfig } from '../config/config.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { foreignKey, roleNameKey } from '../identity/recorded.ts'
import { zoneKey } from '../state.ts'
import { isOwned, subnetKinds } from '../tags.ts'
import { errorKindOf } from '../with-error-codes.ts'

/** A resource that the state recorded before the deletion began. AWS must confirm that one of them is gone. */
interface Witness {
  readonly key: string
  readonly id: string
}

/** No VPC has this id, so AWS must answer that it does not exist. */
const noVpc: Witness = { key: '', id: 'vpc-00000000000000000' }

/** Returns the deleted resources that have ids, the last deleted one first, as text for the state. */
export const witnessesIn = (desired: DesiredInfrastructure, state: State): string => {
  const { vpc, zones, nodesSecurityGroup } = desired
  const keys = [
    ...(vpc.kind === 'managed' ? ['VPC', 'DHCPOptions'] : []),
    ...(nodesSecurityGroup === undefined ? ['NodesSecurityGroup'] : []),
    ...(zones.kind === 'managed'
      ? ['MainRouteTable', ...zones.zones.map(({ name }) => zoneKey(name, subnetKinds.public.stateKey))]
      : []),
    ...(state[foreignKey(roleNameKey)] === undefined ? [roleNameKey] : []),
  ]
  return keys.flatMap(key => (state[key] === undefined ? [] : [`${key} ${state[key]}`])).join(', ')
}

const parseWitness = (text: string): Witness => {
  const at = text.indexOf(' ')
  return { key: text.slice(0, at), id: text.slice(at + 1) }
}

/**
 * Returns a witness that still exists as ours, by its state key, although the step deleted it. Returns an empty state
 * once AWS confirms that one is gone. A response without an error and without the resource proves nothing, because a
 * proxy may send it.
 *
 * @throws any other error of AWS
 */
export const stillThere = async (
  { cloud, desired, signal }: WitnessContext,
  witnesses: string,
): Promise<State> => {
  const known = witnesses === '' ? [] : witnesses.split(', ').map(parseWitness)
  for (const witness of [...known, noVpc]) {
    try {
      const tags = await tagsOf(cloud, witness.id, signal)
      // An old state may contain a resource of another owner.
      if (isOwned(desired, tags)) return { [witness.key]: witness.id }
    } catch (error) {
      if (errorKindOf(error) === 'gone') return {}
      throw error
    }
  }
  throw new Error(
    'deleting the infrastructure: AWS does not confirm that any recorded resource is gone. Check proxies and endpoints on the way',
  )
}

interface WitnessContext {
  readonly cloud: AwsCloud
  readonly desired: DesiredInfrastructure
  readonly signal: AbortSignal
}

const tagsOf = async (
  { ec2, iam }: AwsCloud,
  id: string,
  abortSignal: AbortSignal,
): Promise<readonly Tag[] | undefined> => {
  const options = { abortSignal }
  if (id.startsWith('vpc-'))
    return (await ec2.send(new DescribeVpcsCommand({ VpcIds: [id] }), options)).Vpcs?.[0]?.Tags
  if (id.startsWith('dopt-')) {
    const command = new DescribeDhcpOptionsCommand({ DhcpOptionsIds: [id] })
    return (await ec2.send(command, options)).DhcpOptions?.[0]?.Tags
  }
  if (id.startsWith('sg-')) {
    const command = new DescribeSecurityGroupsCommand({ GroupIds: [id] })
    return (await ec2.send(command, options)).SecurityGroups?.[0]?.Tags
  }
  if (id.startsWith('rtb-')) {
    const command = new DescribeRouteTablesCommand({ RouteTableIds: [id] })
    return (await ec2.send(command, options)).RouteTables?.[0]?.Tags
  }
  if (id.startsWith('subnet-'))
    return (await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id] }), options)).Subnets?.[0]?.Tags
  await iam.send(new GetRoleCommand({ RoleName: id }), options)
  return undefined
}

/**
 * Returns the config for a deletion: the last applied one, without changes that reconcile refused. Reads AWS only if
 * state and config contradict each other.
 */
export const lastApplied = async (
  desired: Pick<DesiredInfrastructure, 'clusterName' | 'uid' | 'otherUids' | 'ipFamilies'>,
  config: InfrastructureConfig,
  state: State,
  context: { readonly cloud: AwsCloud; readonly signal: AbortSignal },
): Promise<InfrastructureConfig> => {
  const { vpc, nodesSecurityGroupID } = config.networks
  const isVpcUnclear = state.VPC !== undefined && vpc.id === undefined && !hasManagedVpc(state)
  const isGroupUnclear = state.NodesSecurityGroup !== undefined && nodesSecurityGroupID !== undefined
  const [vpcs, groups] = await Promise.all([
    isVpcUnclear ? vpcsOf(context, state.VPC) : [],
    isGroupUnclear ? groupsOf(context, state.NodesSecurityGroup) : [],
  ])
  return appliedConfig({ desired, state, config, vpcs, subnets: [], groups })
}

interface AppliedReads {
  readonly cloud: AwsCloud
  readonly signal: AbortSignal
}

// Uses filters, because AWS answers a request with a missing id with an error.
const vpcsOf = async ({ cloud, signal }: AppliedReads, id = ''): Promise<readonly Vpc[]> => {
  const command = new DescribeVpcsCommand({ Filters: [{ Name: 'vpc-id', Values: [id] }] })
  return (await cloud.ec2.send(command, { abortSignal: signal })).Vpcs ?? []
}

const groupsOf = async ({ cloud, signal }: AppliedReads, id = ''): Promise<readonly SecurityGroup[]> => {
  const command = new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-id', Values: [id] }] })
  return (await cloud.ec2.send(command, { abortSignal: signal })).SecurityGroups ?? []
}
