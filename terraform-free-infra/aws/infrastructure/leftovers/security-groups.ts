import { DeleteSecurityGroupCommand, type SecurityGroup } from '@aws-sdk/client-ec2'
import type { ResourceType } from '../../../engine/engine.ts'
import { changeRules, rulesSender } from '../../account/security-groups/change-rules.ts'
import {
  type RuleAttributes,
  referredGroup,
  ruleAttributes,
  ruleOf,
  rulesOf,
} from '../../account/security-groups/security-rule.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { nodesGroupName } from '../network/nodes-group/nodes-group.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isOwned } from '../tags.ts'
import { errorKindOf } from '../with-error-codes.ts'
import { leftover } from './load-balancers.ts'

/** Its attributes are its rules that refer to other groups. These cannot be deleted before them. */
type LeftoverGroup = ResourceType<AwsCloud, RuleAttributes, Readonly<Record<never, never>>>

/**
 * Groups that the cluster's controllers have created for load balancers. Excludes the group of the nodes, which has the
 * same tag and is deleted with the infrastructure
 * (docs/contract/provider-aws-defects.md#nodes-group-among-the-leftovers).
 */
export const securityGroup = (
  desired: DesiredInfrastructure,
  { securityGroups }: Pick<NetworkReads, 'securityGroups'>,
): LeftoverGroup => {
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
      left(await read(securityGroups), state.NodesSecurityGroup).map(group => {
        const { GroupId = '', GroupName = '' } = group
        const references = rulesOf(group).filter(rule => referredGroup(rule) !== undefined)
        const uses = references.map(referredGroup)
        return { ...leftover(GroupId, GroupName, uses), attributes: ruleAttributes(references) }
      }),
    remove: async ({ cloud, found: { id, attributes }, signal }) => {
      const command = new DeleteSecurityGroupCommand({ GroupId: id })
      try {
        await cloud.ec2.send(command, { abortSignal: signal })
      } catch (error) {
        if (errorKindOf(error) !== 'busy') throw error
        // Two groups may refer to each other. Without the rules of this one, the other can be deleted.
        const rules = Object.keys(attributes).flatMap(name => ruleOf(name) ?? [])
        await changeRules([{ kind: 'revoke', groupId: id, rules }], rulesSender(cloud.ec2, signal))
        throw error
      }
      return 'gone'
    },
    pollMs: 10_000,
  }
}
