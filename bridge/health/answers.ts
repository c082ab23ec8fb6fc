import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { Monitored } from './monitored.ts'

/** How long checks of a kind may stay unanswered before nobody vouches for them any more, in ms. */
export const unansweredMs = 150_000

type Asked = Pick<Monitored, 'id' | 'provider' | 'kind' | 'missed'>

/**
 * Whether checks are answered: conditions that had to be written are, of some object of each provider and kind. One that is
 * never written says nothing while others are.
 */
export interface Answers {
  /** A check was ordered that has to write a condition. One that was ordered in vain before says nothing new. */
  expect(object: Asked, now: Timestamp): void
  /** A condition was written. */
  answered(object: Asked): void
  /** The object is not checked any more: no answer is awaited for it. */
  forget(object: Asked): void
  /** Nobody is asked any more, as by a bridge that does not lead. */
  forgetAll(): void
  /**
   * Returns true if no check of these types (`spec.type`) has waited too long for its answer.
   * @param types default: all types
   */
  areAnswered(now: Timestamp, types?: readonly string[]): boolean
}

export const createAnswers = (): Answers => {
  /** Since when an answer is awaited, by id, by provider, by kind. */
  const since = new Map<string, Map<KindName, Map<string, Timestamp>>>()
  return {
    expect: ({ id, provider, kind, missed }, now) => {
      if (missed > 0) return
      const ofProvider = since.get(provider) ?? new Map<KindName, Map<string, Timestamp>>()
      since.set(provider, ofProvider)
      const ofKind = ofProvider.get(kind) ?? new Map<string, Timestamp>()
      ofProvider.set(kind, ofKind)
      if (!ofKind.has(id)) ofKind.set(id, now)
    },
    answered: ({ provider, kind }) => {
      since.get(provider)?.delete(kind)
    },
    forget: ({ id, provider, kind }) => {
      since.get(provider)?.get(kind)?.delete(id)
    },
    forgetAll: () => since.clear(),
    areAnswered: (now, types = [...since.keys()]) =>
      types
        .flatMap(type => [...(since.get(type)?.values() ?? [])])
        .every(ofKind => [...ofKind.values()].every(at => now - at <= unansweredMs)),
  }
}
