import type { Timestamp } from '../../../shared/clock/clock.ts'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { Infrastructure } from '../../../shared/contract/objects.ts'
import type { LeftAlone } from '../../../terraform-free-infra/engine/engine.ts'

/** A condition of this type is there as long as something is left alone. gardenlet passes over types that it does not know. */
export const leftAloneType = 'ResourcesLeftAlone'

/** How many are named; of the others the number is told. */
const named = 10

type StatusConditions = NonNullable<NonNullable<Infrastructure['status']>['conditions']>

/**
 * The conditions of an Infrastructure with what was left alone in its account, for a patch of its status: a user has to
 * look at that. Undefined when they are as they should be: what has been told is not told again.
 */
export const conditionsWith = (
  { status }: Infrastructure,
  left: readonly LeftAlone[],
  now: Timestamp,
): StatusConditions | null | undefined => {
  const before = status?.conditions ?? []
  const others = before.filter(({ type }) => type !== leftAloneType)
  const recorded = before.find(({ type }) => type === leftAloneType)
  if (left.length === 0) return recorded === undefined ? undefined : others.length === 0 ? null : others
  const message = leftAloneMessage(left)
  if (recorded?.message === message) return undefined
  const time = formatSeconds(now)
  const condition = {
    type: leftAloneType,
    status: 'True',
    reason: 'NotProvedOurs',
    message,
    lastTransitionTime: recorded?.lastTransitionTime ?? time,
    lastUpdateTime: time,
  } as const
  return [...others, condition]
}

const leftAloneMessage = (left: readonly LeftAlone[]): string => {
  const sorted = left.map(({ label, id, why }) => `${label} (${id}): ${why}`).toSorted()
  const more = sorted.length - named
  return `Left alone: ${[...sorted.slice(0, named), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`
}
