import type { Timestamp } from '../../../../shared/clock/clock.ts'
import type { RuleChange } from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import {
  type SecurityRule,
  without,
} from '../../../../terraform-free-infra/aws/account/security-groups/security-rule.ts'
import { rangeOf, sshRule } from './desired.ts'
import type { RecentRange } from './state.ts'
import type { BastionWork } from './work.ts'

/** Maximum number of recorded ranges: about 200 kB. Further changes wait until EC2 certainly shows earlier ones. */
export const mostRecentRanges = 2_000

/** Returns the ranges of a group that were changed recently. Those of another group mean nothing. */
export const recentRanges = (
  { state, patience }: Pick<BastionWork, 'state' | 'patience'>,
  groupId: string | undefined,
): readonly RecentRange[] => {
  const { rules } = state.current()
  return rules === undefined || rules.groupId !== groupId
    ? []
    : rules.ranges.filter(({ since }) => patience.isYoung(since))
}

/** Returns the recent ranges with those of the changes. `answered`: EC2 has accepted the changes. */
export const withChanges = (
  ranges: readonly RecentRange[],
  changes: readonly RuleChange[],
  { answered, since }: { readonly answered: boolean; readonly since: Timestamp },
): readonly RecentRange[] => {
  const byRange = new Map(ranges.map(recent => [recent.range, recent]))
  for (const { kind, rules } of changes)
    for (const rule of rules) {
      const range = rangeOf(rule)
      if (range === undefined) continue
      const result = kind === 'authorize' ? 'added' : 'removed'
      byRange.set(range, { range, rule: answered ? result : 'unknown', since })
    }
  return [...byRange.values()]
}

/** Returns the rules that EC2 certainly has: the listed and the recently added ones, without the recently removed. */
export const certainRules = (
  listed: readonly SecurityRule[],
  ranges: readonly RecentRange[],
): readonly SecurityRule[] => {
  const isAdded = new Map(ranges.map(({ range, rule }) => [range, rule === 'added']))
  const certain = listed.filter(rule => isAdded.get(rangeOf(rule) ?? '') ?? true)
  return [...certain, ...ruleOfEach(ranges.filter(({ rule }) => rule === 'added'))]
}

/** Returns the rules that EC2 may have: the listed ones, and those added recently. */
export const possibleRules = (
  listed: readonly SecurityRule[],
  ranges: readonly RecentRange[],
): readonly SecurityRule[] => {
  const added = ruleOfEach(ranges.filter(({ rule }) => rule !== 'removed'))
  return [...listed, ...without(added, listed)]
}

const ruleOfEach = (ranges: readonly RecentRange[]): readonly SecurityRule[] =>
  ranges.map(({ range }) => sshRule('ingress', range))
