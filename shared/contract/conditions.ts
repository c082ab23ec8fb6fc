import type { Timestamp } from '../clock/clock.ts'
import { formatSeconds } from '../clock/clock.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { ErrorCode } from './constants.ts'
import { type Condition, condition } from './schemas/condition.ts'

export type { Condition } from './schemas/condition.ts'

export type ConditionStatus = 'True' | 'False' | 'Unknown' | 'Progressing'

/** A change of a condition. Absent fields are unchanged, except the codes, which are never inherited. */
export interface ConditionUpdate {
  readonly status?: ConditionStatus
  readonly reason?: string
  readonly message?: string
  readonly codes?: readonly ErrorCode[]
}

/** Conditions by type. Undefined removes the condition. */
export type ConditionUpdates = Readonly<Record<string, ConditionUpdate | undefined>>

/** A condition that was never checked. */
export const initialCondition = (type: string, now: Timestamp): Condition => ({
  type,
  status: 'Unknown',
  reason: 'ConditionInitialized',
  message: 'The condition has been initialized but its semantic check has not been performed yet.',
  lastTransitionTime: formatSeconds(now),
  lastUpdateTime: formatSeconds(now),
})

/**
 * Returns the condition after an update (docs/contract/lifecycle.md#conditions). `lastTransitionTime` changes only with
 * the status, `lastUpdateTime` with any field. Returns the same condition if nothing changes.
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

/** Returns the list with these conditions: existing types are replaced in place, new types are appended. */
export const mergeConditions = (
  old: readonly Condition[],
  updates: readonly Condition[],
): readonly Condition[] => [
  ...old.map(entry => conditionOf(updates, entry.type) ?? entry),
  ...updates.filter(({ type }) => conditionOf(old, type) === undefined),
]

/**
 * Returns `status.conditions` of an object with these updates, for a merge patch; other types are retained. Undefined:
 * no change. Null: no condition is left.
 */
export const conditionsWith = (
  object: KubernetesObject,
  updates: ConditionUpdates,
  now: Timestamp,
): readonly Condition[] | null | undefined => {
  const present = conditionsOf(object)
  const kept = present.filter(({ type }) => !(type in updates) || updates[type] !== undefined)
  const updated = Object.entries(updates).flatMap(([type, update]) =>
    update === undefined ? [] : [updatedCondition(type, conditionOf(present, type), update, now)],
  )
  const next = mergeConditions(kept, updated)
  if (next.length === present.length && next.every((condition, at) => condition === present[at]))
    return undefined
  return next.length === 0 ? null : next
}

export const conditionOf = (
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined => conditions?.find(condition => condition.type === type)

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((entry, index) => entry === b[index])

/**
 * The condition records if a DNSRecord was ever created (docs/contract/kinds.md#created-condition). `False` lets a
 * delete skip the provider, so it is removed before any attempt that may create something.
 */
const type = 'Created'

/** Returns the well-formed conditions of an object, even if the rest is invalid. */
export const conditionsOf = (object: KubernetesObject): readonly Condition[] => {
  const { status } = object
  if (typeof status !== 'object' || status === null || !('conditions' in status)) return []
  if (!Array.isArray(status.conditions)) return []
  return status.conditions.flatMap(entry => {
    const parsed = condition.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

export const createdConditionOf = (object: KubernetesObject): Condition | undefined =>
  conditionOf(conditionsOf(object), type)

/** Returns `status.conditions` before an attempt that may create something; undefined for no change. */
export const conditionsBeforeWork = (
  object: KubernetesObject,
  now: Timestamp,
): readonly Condition[] | undefined => {
  const conditions = conditionsOf(object)
  const old = conditionOf(conditions, type)
  if (old?.status !== 'False') return undefined
  const update = {
    status: 'Unknown',
    reason: withdrawn,
    message: 'An attempt to create the record in infrastructure has begun',
  } as const
  return mergeConditions(conditions, [updatedCondition(type, old, update, now)])
}

const withdrawn = 'CreationAttempted'

/**
 * Returns `status.conditions` after a failed attempt if no attempt has created anything; undefined for no change.
 *
 * @param before the condition that this attempt removed; it is restored
 */
export const conditionsAfterError = (
  object: KubernetesObject,
  now: Timestamp,
  before?: Condition,
): readonly Condition[] | undefined => {
  const conditions = conditionsOf(object)
  const present = conditionOf(conditions, type)
  if (present !== undefined)
    return present.reason === withdrawn && before?.status === 'False'
      ? mergeConditions(conditions, [before])
      : undefined
  const update = {
    status: 'False',
    reason: 'Error',
    message: 'Error on initial record creation in infrastructure',
  } as const
  return mergeConditions(conditions, [updatedCondition(type, undefined, update, now)])
}

/** Returns `status.conditions` after a successful reconcile or restore; undefined for no change. */
export const conditionsAfterSuccess = (
  object: KubernetesObject,
  now: Timestamp,
): readonly Condition[] | undefined => {
  const conditions = conditionsOf(object)
  const old = conditionOf(conditions, type)
  if (old?.status === 'True') return undefined
  const update = {
    status: 'True',
    reason: 'Success',
    message: 'Record was created successfully in infrastructure at least once',
  } as const
  return mergeConditions(conditions, [updatedCondition(type, old, update, now)])
}
