import type { Timestamp } from '../clock/clock.ts'
import { formatSeconds, parseTimestamp } from '../clock/clock.ts'
import {
  type Condition,
  type ConditionUpdate,
  conditionOf,
  conditionsOf,
  updatedCondition,
} from '../contract/conditions.ts'
import { refreshAfterMs } from '../contract/health.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** New conditions by type. Undefined removes the condition. */
export type FoundUpdates = ReadonlyMap<string, ConditionUpdate | undefined>

/** Returns the raw entries of `status.conditions`, valid or not. */
const entriesOf = ({ status }: KubernetesObject): readonly unknown[] => {
  const { conditions } = Object(status) as { readonly conditions?: unknown }
  return Array.isArray(conditions) ? conditions : []
}

const typeOf = (entry: unknown): unknown => (Object(entry) as { readonly type?: unknown }).type

/** Returns the condition of a type, or undefined if it is missing or invalid. */
export const conditionIn = (object: KubernetesObject, type: string): Condition | undefined =>
  conditionOf(conditionsOf(object), type)

/**
 * Returns `status.conditions` with the updates, or undefined for no change. Conditions of others are copied unchanged,
 * also invalid ones.
 */
export const writtenConditions = (
  object: KubernetesObject,
  updates: FoundUpdates,
  now: Timestamp,
): readonly unknown[] | undefined => {
  const entries = entriesOf(object)
  const isThere = (type: string) => entries.some(entry => typeOf(entry) === type)
  let changed = false
  const made = new Map<unknown, Condition>()
  for (const [type, update] of updates) {
    const old = conditionIn(object, type)
    const next = update && refreshed(type, old, update, now)
    changed ||= next === undefined ? isThere(type) : next !== old
    if (next !== undefined) made.set(type, next)
  }
  if (!changed) return undefined
  const kept = entries.flatMap(entry => {
    const type = typeOf(entry)
    if (typeof type !== 'string' || !updates.has(type)) return [entry]
    const next = made.get(type)
    // The first of two entries with the same type remains.
    made.delete(type)
    return next === undefined ? [] : [next]
  })
  return [...kept, ...made.values()]
}

/** Returns the condition after an update, or the same condition if no write is needed. */
const refreshed = (
  type: string,
  old: Condition | undefined,
  update: ConditionUpdate,
  now: Timestamp,
): Condition => {
  const next = updatedCondition(type, old, update, now)
  const writtenAt = parseTimestamp(next.lastUpdateTime) ?? 0
  // A condition from the future was written before a clock was set back. It looks fresh, but not to an observer that
  // waits for a newer one.
  return next === old && Math.abs(now - writtenAt) >= refreshAfterMs
    ? { ...next, lastUpdateTime: formatSeconds(now) }
    : next
}
