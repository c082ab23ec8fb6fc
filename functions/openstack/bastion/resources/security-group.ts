import * as z from 'zod'
import { canonicalCidr } from '../../../../terraform-free-infra/cloud/cidr.ts'
import { ingressRanges } from '../../../../terraform-free-infra/cloud/ingress-ranges.ts'
import type { Attributes, Found, ResourceType } from '../../../../terraform-free-infra/engine/engine.ts'
import {
  isNotFound,
  isRefusal,
  type OpenStackAccess,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { DesiredBastion } from '../request.ts'
import { type BastionLists, groupSchema, type ListedRule, listItems, ruleSchema } from './lists.ts'
import { markIn, markOf, ownership } from './ownership.ts'

/** The state key of the security group. */
export const groupKey = 'SecurityGroup'

export interface GroupOutcome {
  readonly id: string
  /** The ids of its rules, by attribute. */
  readonly rules: Readonly<Record<string, readonly string[]>>
}

/** The body of a rule for SSH. The group of the bastion is not known before it is created. */
type SshRule = Omit<ListedRule, 'id'> & { readonly description: string; readonly security_group_id?: string }

const ssh = { protocol: 'tcp', port_range_min: 22, port_range_max: 22 }

/** The attribute of the rule in the group of the nodes that lets the bastion in. Neutron deletes it with our group. */
const letIn = 'rule of the nodes'

/** The attribute of a rule: `ingress IPv4 tcp 22-22 203.0.113.0/24`. */
const attributeOf = (rule: Omit<ListedRule, 'id'>): string =>
  [
    rule.direction,
    rule.ethertype,
    rule.protocol ?? 'any',
    `${rule.port_range_min ?? ''}-${rule.port_range_max ?? ''}`,
    rule.remote_group_id ?? canonicalCidr(rule.remote_ip_prefix ?? 'any'),
  ].join(' ')

/** The desired rules of our group by attribute: SSH in from the ranges, SSH out to the nodes. */
const rulesFor = ({ names, ingress, network }: DesiredBastion): ReadonlyMap<string, SshRule> => {
  const rules = ingressRanges(ingress).map(range => ({
    ...ssh,
    description: names.allowSsh,
    direction: 'ingress',
    ethertype: range.includes(':') ? 'IPv6' : 'IPv4',
    remote_ip_prefix: range,
  }))
  const egress = { ...ssh, description: names.egress, direction: 'egress', ethertype: 'IPv4' }
  return new Map(
    [...rules, { ...egress, remote_group_id: network?.nodesGroupId ?? '' }].map(rule => [
      attributeOf(rule),
      rule,
    ]),
  )
}

/** The attributes of the security group: its rules, and the rule of the nodes. */
export const groupAttributes = (desired: DesiredBastion): Attributes =>
  Object.fromEntries([...rulesFor(desired).keys(), letIn].map(rule => [rule, true]))

/**
 * The security group of the bastion. Every other ingress rule is removed. Other egress rules stay: without the two of
 * Neutron, the machine would not reach the metadata service, which has its user data.
 */
export const securityGroupType = (
  desired: DesiredBastion,
  lists: BastionLists,
): ResourceType<OpenStackAccess, Attributes, GroupOutcome> => {
  const { names, uid, network } = desired
  const found = (
    { id, security_group_rules }: z.output<typeof groupSchema>,
    isLetIn: boolean,
  ): Found<Attributes, GroupOutcome> => {
    const rules = Map.groupBy(security_group_rules, attributeOf)
    return {
      id,
      key: names.group,
      status: 'ready',
      attributes: Object.fromEntries(
        [...rules.keys(), ...(isLetIn ? [letIn] : [])].map(rule => [rule, true]),
      ),
      outcome: {
        id,
        rules: Object.fromEntries([...rules].map(([rule, all]) => [rule, all.map(one => one.id)])),
      },
    }
  }
  const letInRule = (group: string): SshRule => ({
    ...ssh,
    description: names.allowSsh,
    direction: 'ingress',
    ethertype: 'IPv4',
    remote_group_id: group,
    security_group_id: network?.nodesGroupId ?? '',
  })
  return {
    what: 'security group',
    list: async ({ cloud, read, state }) => {
      const groups = await read(lists.groups)
      const mark = ownership(
        groups,
        { uid, recorded: state[groupKey] },
        ({ description }) => markIn(description),
        `security groups ${names.group}`,
      )
      const ids = groups.filter(group => mark(group).ours).map(({ id }) => id)
      const rules =
        ids.length === 0 || network === undefined
          ? []
          : await listItems(cloud, {
              service: 'network',
              path: ['security-group-rules'],
              query: { security_group_id: network.nodesGroupId, remote_group_id: ids },
              member: 'security_group_rules',
              item: ruleSchema,
            })
      const isLetIn = (id: string) => rules.some(rule => attributeOf(rule) === attributeOf(letInRule(id)))
      return groups.map(group => ({ ...found(group, isLetIn(group.id)), ...mark(group) }))
    },
    create: async ({ cloud, signal }) => {
      const { security_group } = await cloud.call({
        service: 'network',
        method: 'POST',
        path: ['security-groups'],
        body: { security_group: { name: names.group, description: `${names.group} ${markOf(uid)}` } },
        answer: z.object({ security_group: groupSchema }),
        doing: `creating security group ${names.group}`,
        signal,
      })
      return found(security_group, false)
    },
    update: async ({ cloud, signal, found: { id, outcome }, changes }) => {
      const wanted = rulesFor(desired)
      const add = (rule: SshRule): Promise<unknown> =>
        cloud
          .call({
            service: 'network',
            method: 'POST',
            path: ['security-group-rules'],
            body: { security_group_rule: { security_group_id: id, ...rule } },
            doing: `adding a rule of bastion ${names.base}`,
            signal,
          })
          .catch(unless(error => isRefusal(error, 'SecurityGroupRuleExists')))
      const remove = (rule: string): Promise<unknown> =>
        cloud
          .call({
            service: 'network',
            method: 'DELETE',
            path: ['security-group-rules', rule],
            doing: `removing a rule of bastion ${names.base}`,
            signal,
          })
          .catch(unless(isNotFound))
      // A refused rule must not keep a former range open.
      const results = await Promise.allSettled(
        changes.flatMap(({ attribute, after }) => {
          if (after === undefined) return (outcome.rules[attribute] ?? []).map(remove)
          const rule = attribute === letIn ? letInRule(id) : wanted.get(attribute)
          return rule === undefined ? [] : [add(rule)]
        }),
      )
      for (const result of results) if (result.status === 'rejected') throw result.reason
      return undefined
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      await cloud.call({
        service: 'network',
        method: 'DELETE',
        path: ['security-groups', id],
        doing: `deleting security group ${names.group} (${id})`,
        signal,
      })
      return 'gone'
    },
    owns: attribute => attribute.startsWith('ingress '),
    doubles: true,
  }
}

/** Swallows the errors of a call that mean that nothing is left to do. */
const unless = (isFine: (error: unknown) => boolean) => (error: unknown) => {
  if (!isFine(error)) throw error
}
