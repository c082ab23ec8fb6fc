import { type DesiredBastion, groupDescription, groupRules, tagsFor } from './desired.ts'
import type { NewInstance, ObservedGroup, ObservedInstance, PublicSubnet } from './ec2.ts'
import type { BastionMachine } from './machine/choose-machine.ts'
import { isProvedByTags, type Namesake, type ObservedBastion } from './observe.ts'
import { everythingOut, type Rule, ruleName, sshRule, without } from './rules.ts'

export type NewGroup = Pick<ObservedGroup, 'name' | 'description' | 'vpcId' | 'tags'>

/** One call that changes something. */
export type BastionAction = { readonly sentence: string } & (
  | { readonly kind: 'create group'; readonly group: NewGroup }
  | { readonly kind: 'authorize' | 'revoke'; readonly groupId: string; readonly rules: readonly Rule[] }
  | { readonly kind: 'run instance'; readonly instance: NewInstance }
  | { readonly kind: 'terminate'; readonly ids: readonly string[] }
  | { readonly kind: 'delete group'; readonly id: string }
)

export interface BastionPlan {
  /** In their order. */
  readonly actions: readonly BastionAction[]
  readonly left: readonly Namesake[]
}

/** Where a bastion is to be: what its infrastructure has made. */
export interface BastionNetwork {
  readonly subnet: PublicSubnet
  readonly workerGroup: ObservedGroup
}

/** What a group is called of which nobody has the id yet. */
const newGroupId = '(the new group)'

/**
 * The changes that make a bastion what is desired. `machine` is asked for only where an instance has to be started: one
 * that is there stays, whatever became of its image, its type and the user data since.
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

/** What takes a bastion away; groups can go only once their instances are terminated. */
export const planRemoval = (
  desired: DesiredBastion,
  { groups, workerGroups, instances, outdated, left }: ObservedBastion,
): BastionPlan => ({
  actions: [
    ...groups.flatMap(group => keepProof(desired, group, workerGroups)),
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
 * A group of the Go extension may be known by the rule of the nodes alone, which goes first. It gets the rule back that it is
 * to have, lest nobody knows it any more should the process die in between.
 */
const keepProof = (
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

/** One call for each direction. */
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
