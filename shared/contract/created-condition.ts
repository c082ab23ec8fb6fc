import type { Timestamp } from '../clock/clock.ts'
import type { KubernetesObject } from '../kubernetes/port.ts'
import { conditionOf, mergeConditions, updatedCondition } from './conditions.ts'
import { type Condition, condition } from './schemas/condition.ts'

/**
 * Whether a DNSRecord was ever made (docs/contract/kinds.md#created-condition): `False` lets a delete skip the
 * provider. So `False` stands only while nothing can have been made: it is withdrawn before an attempt that may make
 * something.
 */
const type = 'Created'

/** The well-formed conditions of an object, whatever else is wrong with it. */
const conditionsOf = (object: KubernetesObject): readonly Condition[] => {
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

/** `status.conditions` before an attempt that may make something; undefined when they stay as they are. */
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
 * `status.conditions` after a failed attempt that has made nothing, like all those before it; undefined when they stay
 * as they are.
 *
 * @param before the condition before this attempt withdrew it, which is put back
 */
export const conditionsAfterError = (
  object: KubernetesObject,
  now: Timestamp,
  before?: Condition,
): readonly Condition[] | undefined => {
  const conditions = conditionsOf(object)
  const present = conditionOf(conditions, type)
  if (present !== undefined) {
    return present.reason === withdrawn && before?.status === 'False'
      ? mergeConditions(conditions, [before])
      : undefined
  }
  const update = {
    status: 'False',
    reason: 'Error',
    message: 'Error on initial record creation in infrastructure',
  } as const
  return mergeConditions(conditions, [updatedCondition(type, undefined, update, now)])
}

/** `status.conditions` after a successful reconcile or restore; undefined when they stay as they are. */
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
