import {
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
  type SecurityGroup,
  type Vpc,
} from '@aws-sdk/client-ec2'
import type { State } from '../../../engine/engine.ts'
import { appliedConfig, hasManagedVpc } from '../account/applied-config.ts'
import type { AwsCloud } from '../cloud.ts'
import type { InfrastructureConfig } from '../config/config.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'

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
