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

/** What a condition says now; `undefined`: it goes. */
export type FoundUpdates = ReadonlyMap<string, ConditionUpdate | undefined>

/** The entries of `status.conditions` as they stand there, whatever they are. */
const entriesOf = ({ status }: KubernetesObject): readonly unknown[] => {
  const { conditions } = Object(status) as { readonly conditions?: unknown }
  return Array.isArray(conditions) ? conditions : []
}

const typeOf = (entry: unknown): unknown => (Object(entry) as { readonly type?: unknown }).type

/** The condition of a type; undefined: there is none, or it breaks the schema. */
export const conditionIn = (object: KubernetesObject, type: string): Condition | undefined =>
  conditionOf(conditionsOf(object), type)

/**
 * `status.conditions` with what was found; undefined: it is as it stands. Conditions of others go along as they are, also such
 * as break the schema.
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
    // Of one that stood there twice the first stays.
    made.delete(type)
    return next === undefined ? [] : [next]
  })
  return [...kept, ...made.values()]
}

/** The condition after an update; the old one itself when nothing has to be written. */
const refreshed = (
  type: string,
  old: Condition | undefined,
  update: ConditionUpdate,
  now: Timestamp,
): Condition => {
  const next = updatedCondition(type, old, update, now)
  const writtenAt = parseTimestamp(next.lastUpdateTime) ?? 0
  // One that is from the future was written before a clock was set back: it looks fresh, and to nobody who waits for an answer.
  return next === old && Math.abs(now - writtenAt) >= refreshAfterMs
    ? { ...next, lastUpdateTime: formatSeconds(now) }
    : next
}
