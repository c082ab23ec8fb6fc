import {
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupRulesCommand,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2'
import type { CallContext } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { nodesGroupName } from '../network/nodes-group/nodes-group.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isOwned } from '../tags.ts'
import { errorKindOf } from '../with-error-codes.ts'
import { type Leftover, leftover } from './load-balancers.ts'

/**
 * Groups that the cluster's controllers have created for load balancers. Excludes the group of the nodes, which has the
 * same tag and is deleted with the infrastructure
 * (docs/contract/provider-aws-defects.md#nodes-group-among-the-leftovers).
 */
export const securityGroup = (
  desired: DesiredInfrastructure,
  { securityGroups }: Pick<NetworkReads, 'securityGroups'>,
): Leftover => {
  const left = (groups: readonly SecurityGroup[], known: string | undefined) =>
    groups.filter(
      ({ GroupId, GroupName, Tags }) =>
        isOwned(desired, Tags) &&
        GroupId !== known &&
        GroupId !== desired.nodesSecurityGroup &&
        GroupName !== nodesGroupName(desired) &&
        GroupName !== 'default',
    )
  return {
    what: 'leftover security group',
    list: async ({ read, state }) =>
      left(await read(securityGroups), state.NodesSecurityGroup).map(group =>
        leftover(group.GroupId ?? '', group.GroupName ?? '', referencesOf(group)),
      ),
    remove: async ({ cloud, found: { id }, throwIfExpired, signal }) => {
      const command = new DeleteSecurityGroupCommand({ GroupId: id })
      try {
        await cloud.ec2.send(command, { abortSignal: signal })
      } catch (error) {
        if (errorKindOf(error) !== 'busy') throw error
        // Two groups may refer to each other. Without the rules of this one, the other can be deleted.
        await revokeReferences({ cloud, throwIfExpired, signal }, id)
        throw error
      }
      return 'gone'
    },
    pollMs: 10_000,
  }
}

/** Returns the groups in the rules of a group. They cannot be deleted before it. */
const referencesOf = ({ GroupId, IpPermissions = [], IpPermissionsEgress = [] }: SecurityGroup): string[] => {
  const pairs = [...IpPermissions, ...IpPermissionsEgress].flatMap(
    ({ UserIdGroupPairs = [] }) => UserIdGroupPairs,
  )
  return [...new Set(pairs.flatMap(pair => pair.GroupId ?? []))].filter(id => id !== GroupId)
}

/** Removes the rules of a group that refer to another group. */
const revokeReferences = async (
  {
    cloud: { ec2 },
    throwIfExpired,
    signal,
  }: Pick<CallContext<AwsCloud>, 'cloud' | 'throwIfExpired' | 'signal'>,
  GroupId: string,
): Promise<void> => {
  const options = { abortSignal: signal }
  const Filters = [{ Name: 'group-id', Values: [GroupId] }]
  const { SecurityGroupRules: rules = [] } = await ec2.send(
    new DescribeSecurityGroupRulesCommand({ Filters }),
    options,
  )
  const naming = (egress: boolean) =>
    rules
      .filter(({ IsEgress, ReferencedGroupInfo }) => {
        const other = ReferencedGroupInfo?.GroupId
        return IsEgress === egress && other !== undefined && other !== GroupId
      })
      .flatMap(({ SecurityGroupRuleId }) => SecurityGroupRuleId ?? [])
  const [ingress, egress] = [naming(false), naming(true)]
  if (ingress.length > 0) {
    throwIfExpired()
    const SecurityGroupRuleIds = ingress
    await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId, SecurityGroupRuleIds }), options)
  }
  if (egress.length > 0) {
    throwIfExpired()
    const SecurityGroupRuleIds = egress
    await ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId, SecurityGroupRuleIds }), options)
  }
}
