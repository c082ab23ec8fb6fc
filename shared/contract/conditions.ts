import type { Timestamp } from '../clock/clock.ts'
import { formatSeconds } from '../clock/timestamp.ts'
import type { ErrorCode } from './error-codes.ts'
import type { Condition } from './schemas/condition.ts'

export type ConditionStatus = 'True' | 'False' | 'Unknown' | 'Progressing'

/** What changes of a condition; absent fields stay, except for the codes, which are never inherited. */
export interface ConditionUpdate {
  readonly status?: ConditionStatus
  readonly reason?: string
  readonly message?: string
  readonly codes?: readonly ErrorCode[]
}

/** A condition that nobody has checked yet. */
export const initialCondition = (type: string, now: Timestamp): Condition => ({
  type,
  status: 'Unknown',
  reason: 'ConditionInitialized',
  message: 'The condition has been initialized but its semantic check has not been performed yet.',
  lastTransitionTime: formatSeconds(now),
  lastUpdateTime: formatSeconds(now),
})

/**
 * The condition after an update (docs/contract/lifecycle.md#conditions). `lastTransitionTime` moves only with the
 * status, `lastUpdateTime` with anything; when nothing changes, the condition itself comes back.
 */
export const updatedCondition = (
  type: string,
  old: Condition | undefined,
  update: ConditionUpdate,
  now: Timestamp,
): Condition => {
  const base = old ?? initialCondition(type, now)
  const status = update.status ?? base.status
  const reason = (update.reason ?? base.reason) || 'Unspecified'
  const message = (update.message ?? base.message) || 'No message given.'
  const codes = update.codes ?? []
  const turned = status !== base.status
  const changed =
    turned || reason !== base.reason || message !== base.message || !sameList(codes, base.codes ?? [])
  if (!changed) return base
  return {
    type,
    status,
    reason,
    message,
    lastTransitionTime: turned ? formatSeconds(now) : base.lastTransitionTime,
    lastUpdateTime: formatSeconds(now),
    ...(codes.length === 0 ? {} : { codes: [...codes] }),
  }
}

/** The list with these conditions: same types replaced where they stand, new types at the end. */
export const mergeConditions = (
  old: readonly Condition[],
  updates: readonly Condition[],
): readonly Condition[] => [
  ...old.map(entry => conditionOf(updates, entry.type) ?? entry),
  ...updates.filter(({ type }) => conditionOf(old, type) === undefined),
]

export const conditionOf = (
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined => conditions?.find(condition => condition.type === type)

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((entry, index) => entry === b[index])
