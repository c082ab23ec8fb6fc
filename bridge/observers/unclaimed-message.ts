import { cutText } from '../../shared/text/cut-text.ts'
import { nearestName } from '../../shared/text/nearest-name.ts'
import type { BridgeEvent } from './bridge-event.ts'

export type Unclaimed = Extract<BridgeEvent, { type: 'unclaimed' }>

/** The names of functions are short; only the beginning of a longer type is shown. */
const longestShown = 63

/**
 * Returns true if the notice is useful. If functions claim other objects of this type, they are busy, and only an
 * object that waits for twenty minutes is reported.
 */
export const isWorthReporting = ({ times, provider, known }: Unclaimed): boolean =>
  !known.includes(provider) || times >= 4

/** Returns the message for an object that no function claims, with the available types. */
export const unclaimedMessage = ({ kind, times, provider, known }: Unclaimed): string => {
  const type = JSON.stringify(cutText(provider, longestShown))
  const what =
    times === 0
      ? `no function serves ${kind} of type ${type}`
      : `no function has claimed it since its event was sent ${times === 1 ? 'once' : `${times} times`}; its spec.type is ${type}`
  if (known.includes(provider)) return what
  const near = nearestName(provider, known)
  const hint = near === undefined ? '' : `. Did you mean ${JSON.stringify(near)}?`
  return known.length === 0 ? what : `${what}${hint} (served: ${known.toSorted().join(', ')})`
}
