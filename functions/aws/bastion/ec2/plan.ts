import type { RuleChange } from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import {
  ruleName,
  type SecurityRule,
  without,
} from '../../../../terraform-free-infra/aws/account/security-groups/security-rule.ts'
import { type DesiredBastion, groupDescription, groupRules, sshRule, tagsFor } from './desired.ts'
import type { ObservedGroup, ObservedInstance, PublicSubnet } from './ec2.ts'
import type { BastionMachine } from './machine/choose-machine.ts'
import type { Namesake, ObservedBastion } from './observe.ts'
import { certainRules, possibleRules } from './recent-ranges.ts'
import type { RecentRange, RecordedLaunch } from './state.ts'

export type NewGroup = Pick<ObservedGroup, 'name' | 'description' | 'vpcId' | 'tags'>

/** One call that changes a resource. */
export type BastionAction = { readonly sentence: string } & (
  | { readonly kind: 'create group'; readonly group: NewGroup }
  | RuleChange
  | { readonly kind: 'run instance'; readonly launch: Omit<RecordedLaunch, 'token'> }
  | { readonly kind: 'terminate' | 'delete group'; readonly id: string }
)

export interface BastionPlan {
  /** In order. */
  readonly actions: readonly BastionAction[]
  readonly left: readonly Namesake[]
}

export interface BastionNetwork {
  readonly subnet: PublicSubnet
  readonly workerGroup: ObservedGroup
}

/** Facts of earlier steps. */
export interface EarlierCalls {
  /** The ranges whose rules were changed so recently that EC2 may list their former state. */
  readonly ranges: readonly RecentRange[]
  /** True if an instance was started so recently that EC2 may not list it. */
  readonly isStarted: boolean
  /** The call that may have started an instance. It must be repeated unchanged. */
  readonly launch: Omit<RecordedLaunch, 'token'> | undefined
}

/** Placeholder for the id of a group that does not exist yet. */
const newGroupId = '(the new group)'

/**
 * Returns the changes that make a bastion as desired. Calls `machine` only if an instance must be started. An existing
 * instance stays, even if its image, type or user data have changed since.
 */
export const planBastion = (
  desired: DesiredBastion,
  { subnet, workerGroup }: BastionNetwork,
  { group, instances, outdated, left }: Pick<ObservedBastion, 'group' | 'instances' | 'outdated' | 'left'>,
  earlier: EarlierCalls,
  machine: () => BastionMachine,
): BastionPlan => {
  const { names } = desired
  const { vpcId } = subnet
  const newGroup: NewGroup = {
    name: names.group,
    description: groupDescription,
    vpcId,
    tags: tagsFor(desired, names.group),
  }
  const there = group ?? { ...newGroup, id: newGroupId, rules: [everythingOut] }
  const wanted = groupRules(desired, workerGroup.id)
  const letIn = sshRule('ingress', there.id)
  return {
    actions: [
      ...(group === undefined
        ? [
            {
              kind: 'create group' as const,
              group: newGroup,
              sentence: `create security group ${names.group} in ${vpcId}`,
            },
          ]
        : []),
      ...terminationOf(outdated, ' of an earlier Bastion of this name'),
      ...changeRules('authorize', there, without(wanted, certainRules(there.rules, earlier.ranges))),
      ...changeRules('revoke', there, without(possibleRules(there.rules, earlier.ranges), wanted)),
      ...changeRules('authorize', workerGroup, without([letIn], workerGroup.rules)),
      ...(instances.length === 0 && !earlier.isStarted
        ? [startOf(desired, subnet, there.id, earlier, machine)]
        : []),
    ],
    left,
  }
}

/** The default egress rule of a new group. A VPC with IPv6 adds the same for `::/0`. */
const everythingOut: SecurityRule = { direction: 'egress', protocol: 'all', ports: '', peer: '0.0.0.0/0' }

const startOf = (
  desired: DesiredBastion,
  subnet: PublicSubnet,
  groupId: string,
  { launch: earlier }: EarlierCalls,
  machine: () => BastionMachine,
): BastionAction => {
  const launch = earlier ?? newLaunch(desired, subnet, groupId, machine())
  const { type, imageId, subnetId } = launch
  return {
    kind: 'run instance',
    launch,
    sentence: `start instance ${desired.names.instance}, a ${type} with ${imageId}, in ${subnetId}`,
  }
}

const newLaunch = (
  { ipv6 }: DesiredBastion,
  { id: subnetId }: PublicSubnet,
  groupId: string,
  { type, ami: imageId }: BastionMachine,
) => ({ imageId, type, groupId, subnetId, ipv6 })

/** Returns the actions that delete a bastion. Groups are deleted only after their instances are terminated. */
export const planRemoval = ({
  groups,
  workerGroups,
  instances,
  outdated,
  left,
}: ObservedBastion): BastionPlan => ({
  actions: [
    ...workerGroups.flatMap(workers =>
      changeRules(
        'revoke',
        workers,
        workers.rules.filter(
          rule =>
            isSshIn(rule) && groups.some(({ id, vpcId }) => vpcId === workers.vpcId && id === rule.peer),
        ),
      ),
    ),
    ...terminationOf([...instances, ...outdated]),
    ...groups.map(({ id, name }) => ({
      kind: 'delete group' as const,
      id,
      sentence: `delete security group ${name} (${id})`,
    })),
  ],
  left,
})

const terminationOf = (instances: readonly ObservedInstance[], which = ''): readonly BastionAction[] =>
  instances.map(({ id }) => ({ kind: 'terminate', id, sentence: `terminate instance ${id}${which}` }))

const isSshIn = (rule: SecurityRule): boolean => ruleName(rule) === ruleName(sshRule('ingress', rule.peer))

/** One action per direction, as EC2 has one call for each. */
const changeRules = (
  kind: RuleChange['kind'],
  { id, name }: Pick<ObservedGroup, 'id' | 'name'>,
  rules: readonly SecurityRule[],
): readonly BastionAction[] =>
  (['ingress', 'egress'] as const).flatMap(direction => {
    const some = rules.filter(rule => rule.direction === direction)
    if (some.length === 0) return []
    const doing = kind === 'authorize' ? 'add to' : 'remove from'
    return [
      { kind, groupId: id, rules: some, sentence: `${doing} ${name}: ${some.map(ruleName).join(', ')}` },
    ]
  })
