import { cutText } from '../../shared/contract/cut-text.ts'
import { editDistance } from '../../shared/runtime/runtime.ts'
import type { BridgeEvent } from '../bridge-event.ts'

export type Unclaimed = Extract<BridgeEvent, { type: 'unclaimed' }>

/** A name of a function is short; what is longer is nobody's, and only its beginning is shown. */
const longestShown = 63
/** Letters that may differ in a slip of the pen. */
const slipOfThePen = 3

/**
 * Whether people should hear of it. Where functions claim others of this type they have too much to do, so only an
 * object that waits for twenty minutes is worth a word.
 */
export const isWorthTelling = ({ times, provider, known }: Unclaimed): boolean =>
  !known.includes(provider) || times >= 4

/** What is wrong with an object that nobody claims, and which types there are, for people. */
export const unclaimedMessage = ({ kind, times, provider, known }: Unclaimed): string => {
  const type = JSON.stringify(cutText(provider, longestShown))
  const what =
    times === 0
      ? `no function serves ${kind} of type ${type}`
      : `no function has claimed it, though its event was sent ${times === 1 ? 'once' : `${times} times`}; its spec.type is ${type}`
  if (known.includes(provider)) return what
  const near = nearest(provider, known)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  return known.length === 0 ? what : `${what}${hint} (served: ${known.toSorted().join(', ')})`
}

const nearest = (given: string, known: readonly string[]): string | undefined => {
  if (given.length > longestShown) return undefined
  return known
    .map(candidate => ({ candidate, distance: editDistance(given.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= slipOfThePen)
    .toSorted((a, b) => a.distance - b.distance)[0]?.candidate
}
