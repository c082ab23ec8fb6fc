/** The number of consecutive late answers that identifies a synchronous broker. */
const lateInRow = 3
/** An ingress that stores events answers within this time, in ms. */
const lateMs = 1_000
/** The number of claims without an answer: the largest number of open requests of the bridge. */
const mostClaims = 1_024

/**
 * Detects a broker that answers only after the functions have ended: its answers are slow, and the claim was already
 * seen. A broker that stores events answers before it delivers them.
 */
export interface LateAnswers {
  /** Records that the claim of an event was seen before its answer. */
  claimed(id: string): void
  /** Returns true if the broker is synchronous; undefined: this answer does not show it. */
  answered(id: string, tookMs: number): boolean | undefined
  /** Records that no answer will arrive. */
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
