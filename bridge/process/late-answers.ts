/** As many answers in a row that came only with the end of the function. */
const lateInRow = 3
/** An ingress that stores an event answers sooner, in ms. */
const lateMs = 1_000
/** As many claims without an answer as the bridge has requests open at most. */
const mostClaims = 1_024

/**
 * Tells a broker that answers only when functions have ended, by answers that take their time and find the claim seen
 * already. One that stores events has answered before it delivers.
 */
export interface LateAnswers {
  /** The claim of an event was seen before an answer. */
  claimed(id: string): void
  /** Whether such a broker it is; undefined: this answer says nothing about it. */
  answered(id: string, tookMs: number): boolean | undefined
  /** No answer comes to it any more. */
  unanswered(id: string): void
}

export const createLateAnswers = (): LateAnswers => {
  const claims = new Set<string>()
  let late = 0
  return {
    claimed: id => {
      if (claims.size < mostClaims) claims.add(id)
    },
    answered: (id, tookMs) => {
      const isClaimed = claims.delete(id)
      if (tookMs < lateMs) late = 0
      else if (isClaimed) late++
      return late >= lateInRow ? true : tookMs < lateMs ? false : undefined
    },
    unanswered: id => {
      claims.delete(id)
    },
  }
}
