import type { DescribeSecurityGroupRulesRequest, DescribeSecurityGroupRulesResult } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { conditionsOf, type FilterFields, fulfils, isPlain } from '../core/describe/filter.ts'
import { seen } from '../core/describe/list.ts'
import { checkNoPages, pageOf } from '../core/describe/page.ts'
import { operation } from '../core/requests/operation.ts'
import type { SecurityGroup, SecurityGroupRule } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'
import { ruleView } from './view.ts'

interface ListedRule {
  readonly group: SecurityGroup
  readonly rule: SecurityGroupRule
  readonly tags: readonly Ec2Tag[]
  readonly place: number
}

const fields: FilterFields<ListedRule> = {
  'group-id': ({ group }) => group.id,
  'security-group-rule-id': ({ rule }) => rule.id,
}

/** Exceeds the number of rules of any group. Gives each rule a unique position across groups. */
const mostRules = 100_000

const entriesOf = (groups: readonly SecurityGroup[]): readonly ListedRule[] =>
  groups.flatMap(group =>
    group.rules.map((rule, index) => ({
      group,
      rule,
      tags: rule.tags,
      place: group.sequence * mostRules + index,
    })),
  )

const groupsFor = (
  ec2: Ec2,
  ids: readonly string[],
  conditions: ReturnType<typeof conditionsOf>,
): readonly SecurityGroup[] => {
  const { securityGroups } = ec2.tables
  if (ids.length > 0) return [...new Set(ids.flatMap(id => securityGroups.by('security-group-rule-id', id)))]
  const byGroup = conditions.find(({ name, values }) => name === 'group-id' && values.every(isPlain))
  return byGroup ? byGroup.values.flatMap(id => securityGroups.get(id) ?? []) : securityGroups.all()
}

export const describeRulesOperations = {
  DescribeSecurityGroupRules: operation<DescribeSecurityGroupRulesRequest, DescribeSecurityGroupRulesResult>(
    { SecurityGroupRuleIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const ids = input.SecurityGroupRuleIds ?? []
      checkNoPages(ids, 'securityGroupRuleIds', input)
      const conditions = conditionsOf(input.Filters, fields)
      const entries = entriesOf(seen(ec2, 'securityGroups', groupsFor(ec2, ids, conditions)))
      const missing = ids.find(id => !entries.some(({ rule }) => rule.id === id))
      if (missing !== undefined) {
        throw refuse(
          'InvalidSecurityGroupRuleId.NotFound',
          `The security group rule ID '${missing}' does not exist`,
        )
      }
      const found = entries.filter(
        entry => (ids.length === 0 || ids.includes(entry.rule.id)) && fulfils(entry, conditions, fields),
      )
      const { items, next } = pageOf(found, entry => entry.place, input)
      return {
        SecurityGroupRules: items.map(({ group, rule }) => ruleView(ec2, group, rule)),
        NextToken: next,
      }
    },
  ),
}
