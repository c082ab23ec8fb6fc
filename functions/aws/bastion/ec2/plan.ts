import { type DesiredBastion, groupDescription, groupRules, tagsFor } from './desired.ts'
import type { NewInstance, ObservedGroup, ObservedInstance, PublicSubnet } from './ec2.ts'
import type { BastionMachine } from './machine/choose-machine.ts'
import { isProvedByTags, type Namesake, type ObservedBastion } from './observe.ts'
import { everythingOut, type Rule, ruleName, sshRule, without } from './rules.ts'

export type NewGroup = Pick<ObservedGroup, 'name' | 'description' | 'vpcId' | 'tags'>

/** One call that changes a resource. */
export type BastionAction = { readonly sentence: string } & (
  | { readonly kind: 'create group'; readonly group: NewGroup }
  | { readonly kind: 'authorize' | 'revoke'; readonly groupId: string; readonly rules: readonly Rule[] }
  | { readonly kind: 'run instance'; readonly instance: NewInstance }
  | { readonly kind: 'terminate'; readonly ids: readonly string[] }
  | { readonly kind: 'delete group'; readonly id: string }
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
      ...changeRules('authorize', there, without(wanted, there.rules)),
      ...changeRules('revoke', there, without(there.rules, wanted)),
      ...changeRules('authorize', workerGroup, without([letIn], workerGroup.rules)),
      ...(instances.length === 0 ? [startOf(desired, subnet, there.id, machine())] : []),
    ],
    left,
  }
}

const startOf = (
  desired: DesiredBastion,
  subnet: PublicSubnet,
  groupId: string,
  { type, ami }: BastionMachine,
): BastionAction => ({
  kind: 'run instance',
  instance: {
    imageId: ami,
    type,
    groupId,
    subnetId: subnet.id,
    userData: desired.userData,
    ipv6: desired.ipv6,
    tags: tagsFor(desired, desired.names.instance),
  },
  sentence: `start instance ${desired.names.instance}, a ${type} with ${ami}, in ${subnet.id}`,
})

/** Returns the actions that delete a bastion. Groups are deleted only after their instances are terminated. */
export const planRemoval = (
  desired: DesiredBastion,
  { groups, workerGroups, instances, outdated, left }: ObservedBastion,
): BastionPlan => ({
  actions: [
    ...groups.flatMap(group => retainProof(desired, group, workerGroups)),
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

const terminationOf = (instances: readonly ObservedInstance[], which = ''): readonly BastionAction[] => {
  if (instances.length === 0) return []
  const ids = instances.map(({ id }) => id)
  return [{ kind: 'terminate', ids, sentence: `terminate instance ${ids.join(' and ')}${which}` }]
}

/**
 * A group of the Go extension may be proved only by the rule of the nodes, which is removed first. The group's own rule
 * is added before that, so that it is still proved if the process dies in between.
 */
const retainProof = (
  desired: DesiredBastion,
  group: ObservedGroup,
  workerGroups: readonly ObservedGroup[],
): readonly BastionAction[] => {
  if (isProvedByTags(desired, group)) return []
  const ids = workerGroups.filter(({ vpcId }) => vpcId === group.vpcId).map(({ id }) => id)
  return group.rules.some(({ peer }) => ids.includes(peer))
    ? []
    : changeRules(
        'authorize',
        group,
        ids.map(id => sshRule('egress', id)),
      )
}

const isSshIn = (rule: Rule): boolean => ruleName(rule) === ruleName(sshRule('ingress', rule.peer))

/** One call per direction. */
const changeRules = (
  kind: 'authorize' | 'revoke',
  { id, name }: Pick<ObservedGroup, 'id' | 'name'>,
  rules: readonly Rule[],
): readonly BastionAction[] =>
  (['ingress', 'egress'] as const).flatMap(direction => {
    const some = rules.filter(rule => rule.direction === direction)
    if (some.length === 0) return []
    const doing = kind === 'authorize' ? 'add to' : 'remove from'
    return [
      { kind, groupId: id, rules: some, sentence: `${doing} ${name}: ${some.map(ruleName).join(', ')}` },
    ]
  })
