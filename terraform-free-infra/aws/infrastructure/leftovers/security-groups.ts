import { DeleteSecurityGroupCommand, type SecurityGroup } from '@aws-sdk/client-ec2'
import type { ResourceType } from '../../../engine/engine.ts'
import { changeRules, rulesSender } from '../../account/security-groups/change-rules.ts'
import {
  type RuleAttributes,
  referredGroup,
  ruleAttributes,
  ruleOf,
  rulesOf,
  type SecurityRule,
} from '../../account/security-groups/security-rule.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { nodesGroupName } from '../network/nodes-group/nodes-group.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isOwned } from '../tags.ts'
import { errorKindOf } from '../with-error-codes.ts'
import { leftover } from './load-balancers.ts'

/** Rules of the group of the nodes, which the user has created. */
interface GivenRules {
  readonly admitting: readonly SecurityRule[]
}

/** Its attributes are its rules that refer to other groups. These cannot be deleted before them. */
type LeftoverGroup = ResourceType<AwsCloud, RuleAttributes, GivenRules>

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
    list: async ({ read, state }) => {
      const groups = await read(securityGroups)
      const given = groups.find(({ GroupId }) => GroupId === desired.nodesSecurityGroup)
      return left(groups, state.NodesSecurityGroup).map(group => {
        const { GroupId = '', GroupName = '' } = group
        const references = rulesOf(group).filter(rule => referredGroup(rule) !== undefined)
        const uses = references.map(referredGroup)
        return {
          ...leftover(GroupId, GroupName, uses),
          attributes: ruleAttributes(references),
          outcome: { admitting: rulesOfControllers(given, GroupId) },
        }
      })
    },
    remove: async ({ cloud, found: { id, attributes, outcome }, signal }) => {
      const command = new DeleteSecurityGroupCommand({ GroupId: id })
      try {
        await cloud.ec2.send(command, { abortSignal: signal })
      } catch (error) {
        if (errorKindOf(error) !== 'busy') throw error
        // Two groups may refer to each other. Without the rules of this one, the other can be deleted.
        const rules = Object.keys(attributes).flatMap(name => ruleOf(name) ?? [])
        const given = { groupId: desired.nodesSecurityGroup ?? '', rules: outcome.admitting }
        const changes = [{ groupId: id, rules }, given].map(change => ({
          kind: 'revoke' as const,
          ...change,
        }))
        await changeRules(changes, rulesSender(cloud.ec2, signal))
        throw error
      }
      return 'gone'
    },
    pollMs: 10_000,
  }
}

/** The description of all rules of the AWS Load Balancer Controller. */
const controllerDescription = 'elbv2.k8s.aws/targetGroupBinding=shared'

/**
 * Returns the rules by which the cluster's controllers admit a load balancer to the user's group of the nodes: the
 * cloud controller admits all traffic of its group without a description, and the AWS Load Balancer Controller
 * describes its rules. The controllers remove them with the load balancer. All other rules are the user's.
 */
const rulesOfControllers = (group: SecurityGroup | undefined, from: string): readonly SecurityRule[] => {
  if (group === undefined) return []
  const IpPermissions = (group.IpPermissions ?? []).map(({ IpProtocol, FromPort, ToPort, ...peers }) => ({
    IpProtocol,
    FromPort,
    ToPort,
    UserIdGroupPairs: (peers.UserIdGroupPairs ?? []).filter(
      ({ GroupId, Description = '' }) =>
        GroupId === from &&
        (Description === controllerDescription || (Description === '' && IpProtocol === '-1')),
    ),
  }))
  return rulesOf({ ...group, IpPermissions, IpPermissionsEgress: [] })
}
