import type { Timestamp } from '../../../../shared/clock/clock.ts'
import type { RuleChange } from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import { rangeOf } from './desired.ts'
import type { RecentRange } from './state.ts'

/** Maximum number of recorded ranges: about 200 kB in the status. Further changes wait until EC2 surely shows earlier ones. */
export const mostRecentRanges = 2_000

/** Returns the recent ranges with those of the changes. */
export const withChanges = (
  ranges: readonly RecentRange[],
  changes: readonly RuleChange[],
  since: Timestamp,
): readonly RecentRange[] => {
  const byRange = new Map(ranges.map(recent => [recent.range, recent]))
  for (const { kind, rules } of changes)
    for (const rule of rules) {
      const range = rangeOf(rule)
      if (range !== undefined) byRange.set(range, { range, allowed: kind === 'authorize', since })
    }
  return [...byRange.values()]
}
