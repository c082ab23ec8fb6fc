import type { Timestamp } from '../../clock/clock.ts'
import type { KindName } from '../../contract/kinds.ts'
import type { Monitored } from './monitored.ts'

/** How long checks of a kind may be unanswered before the conditions count as unreliable, in ms. */
const unansweredMs = 150_000

type Asked = Pick<Monitored, 'id' | 'provider' | 'kind' | 'missed'>

/**
 * Tracks whether checks are answered: for each provider and kind, some object's due condition must be written. An
 * object without any answer does not count while others answer.
 */
export interface Answers {
  /**
   * Records a check that must write a condition. Ignored if an earlier check of the object had no effect (`missed`).
   */
  expect(object: Asked, now: Timestamp): void
  /** Records that a condition was written. */
  answered(object: Asked): void
  /** The object is no longer checked: no answer is expected for it. */
  forget(object: Asked): void
  /** No checks are sent any more, for example because the bridge does not lead. */
  forgetAll(): void
  /** Returns true if the function that checks the object has not answered yet, and has still time. */
  isAwaited(object: Asked, now: Timestamp): boolean
  /**
   * Returns a kind and type (`spec.type`) of these types with a check that has waited too long for its answer.
   * @param types default: all types
   */
  unanswered(now: Timestamp, types?: readonly string[]): Pick<Asked, 'kind' | 'provider'> | undefined
}

export const createAnswers = (): Answers => {
  /** The time since which an answer is expected, by id, by provider, by kind. */
  const since = new Map<string, Map<KindName, Map<string, Timestamp>>>()

  const isLate = (asked: Map<string, Timestamp>, now: Timestamp) => {
    // After a clock was set back, the time starts again.
    for (const [id, at] of asked) if (at > now) asked.set(id, now)
    return [...asked.values()].some(at => now - at > unansweredMs)
  }

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
    isAwaited: ({ provider, kind }, now) => {
      const asked = since.get(provider)?.get(kind)
      return asked !== undefined && asked.size > 0 && !isLate(asked, now)
    },
    unanswered: (now, types = [...since.keys()]) => {
      for (const provider of types)
        for (const [kind, asked] of since.get(provider) ?? [])
          if (isLate(asked, now)) return { kind, provider }
      return undefined
    },
  }
}
