import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'

/** How long checks of a kind may stay unanswered before nobody vouches for them any more, in ms. */
export const unansweredMs = 150_000

/**
 * Whether checks are answered: conditions that had to be written are, of some object of each provider and kind. One that is
 * never written says nothing while others are.
 */
export interface Answers {
  /** A check was ordered that has to write a condition. */
  expect(provider: string, kind: KindName, now: Timestamp): void
  /** A condition was written, or none is left to be. */
  answered(provider: string, kind: KindName): void
  /** Whether the checks of a provider, `spec.type`, are answered as far as can be known. */
  areAnswered(provider: string, now: Timestamp): boolean
}

export const createAnswers = (): Answers => {
  /** Since when an answer is awaited, by provider and kind. */
  const since = new Map<string, Map<KindName, Timestamp>>()
  return {
    expect: (provider, kind, now) => {
      const ofProvider = since.get(provider) ?? new Map<KindName, Timestamp>()
      since.set(provider, ofProvider)
      if (!ofProvider.has(kind)) ofProvider.set(kind, now)
    },
    answered: (provider, kind) => {
      since.get(provider)?.delete(kind)
    },
    areAnswered: (provider, now) =>
      [...(since.get(provider)?.values() ?? [])].every(at => now - at <= unansweredMs),
  }
}
