import type { ConditionUpdate } from '../../../shared/contract/conditions.ts'
import type { LeftAlone } from '../../../terraform-free-infra/engine/engine.ts'

/** A condition of this type is there as long as something is left alone. gardenlet passes over types that it does not know. */
export const leftAloneType = 'ResourcesLeftAlone'

/** How many are named; of the others the number is told. */
const named = 10

/** What was left alone in the account of an Infrastructure: a user has to look at that. Undefined: nothing. */
export const leftAloneCondition = (left: readonly LeftAlone[]): ConditionUpdate | undefined => {
  if (left.length === 0) return undefined
  const sorted = left.map(({ label, id, why }) => `${label} (${id}): ${why}`).toSorted()
  const more = sorted.length - named
  return {
    status: 'True',
    reason: 'NotProvedOurs',
    message: `Left alone: ${[...sorted.slice(0, named), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`,
  }
}
