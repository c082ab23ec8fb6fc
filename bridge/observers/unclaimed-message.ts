import { cutText } from '../../shared/text/cut-text.ts'
import { nearestName } from '../../shared/text/nearest-name.ts'
import type { BridgeEvent } from './bridge-event.ts'

export type Unclaimed = Extract<BridgeEvent, { type: 'unclaimed' }>
type Lost = Extract<BridgeEvent, { type: 'lost' }>

/** The names of functions are short; only the beginning of a longer type is shown. */
const longestShown = 63

/**
 * Returns the number of times after which a report is useful. If functions claim other objects of this type, they are
 * busy, and only an object that waits for twenty minutes is reported. Otherwise the first time counts, which is 0 if
 * all functions are known. One lost event may be a dispatcher that was replaced.
 */
const reportedFrom = (event: Unclaimed | Lost): number => {
  if (event.type === 'lost') return 2
  return event.known.includes(event.provider) ? 4 : Math.min(event.times, 1)
}

/** Returns true if a report is useful. */
export const isWorthReporting = (event: Unclaimed | Lost): boolean => event.times >= reportedFrom(event)

/** Returns true for the first report. The log warns only then. */
export const isFirstReport = (event: Unclaimed | Lost): boolean => event.times === reportedFrom(event)

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
