import type { ConditionUpdate } from '../../../shared/contract/conditions.ts'
import type { RetainedThing } from '../../../terraform-free-infra/engine/engine.ts'

/** Type of the condition that exists while resources are orphaned. gardenlet ignores types that it does not know. */
export const retainedType = 'ResourcesLeftAlone'

/** The most resources that are named. The rest are only counted. */
const named = 10

/**
 * Returns the condition for resources of an Infrastructure that were orphaned and need the attention of a user.
 * Undefined if none were.
 */
export const retainedCondition = (left: readonly RetainedThing[]): ConditionUpdate | undefined => {
  if (left.length === 0) return undefined
  const sorted = left.map(({ label, id, why }) => `${label} (${id}): ${why}`).toSorted()
  const more = sorted.length - named
  return {
    status: 'True',
    reason: 'NotProvedOurs',
    message: `Orphaned: ${[...sorted.slice(0, named), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`,
  }
}
