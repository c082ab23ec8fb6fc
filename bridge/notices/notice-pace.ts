import type { Clock, Timestamp } from '../../shared/clock/clock.ts'
import type { Notice } from './notice.ts'

/** A notice to be written. */
export interface CountedNotice {
  readonly notice: Notice
  /** How often it has happened since it was written last. */
  readonly times: number
  readonly at: Timestamp
}

/**
 * Decides which notices of an object are written, and when. An object can have any number of messages, so a bucket of
 * tokens bounds its writes, as client-go's recorder does (tools/record/events_cache.go: EventSourceObjectSpamFilter). The
 * newest notice is never dropped for lack of a token: it waits for one, so that the newest Event says how the object is.
 */
export interface NoticePace {
  /** @param isFrequent true: the same notice again is counted for five minutes, and written after that */
  add(notice: Notice, isFrequent: boolean): void
  /** A notice could not be written: the same one is written when it happens again. */
  failed(notice: Notice): void
  close(): void
}

/** The same notice of an object is written once in so many ms. */
const quietMs = 300_000
/** Writes of one object: so many at once, and then one in so many ms. client-go: 25, and the same time. */
const burst = 10
const refillMs = 300_000
/** Objects that are remembered. The others begin anew. */
const mostRemembered = 5_000
/** Events have whole seconds, and kubectl sorts by them. */
const secondMs = 1_000

interface ObjectNotices {
  /** The notice that was written last, and how often it has happened since. */
  shown: { readonly key: string; readonly at: Timestamp; skipped: number } | undefined
  /** The newest notice, which waits for a token. */
  waiting: CountedNotice | undefined
  stopTimer: () => void
  tokens: number
  refilledAt: Timestamp
}

/** Tells notices of all objects apart. */
export const keyOfNotice = ({ object, reason, topic, message }: Notice): string =>
  `${object.uid} ${reason} ${topic ?? message}`

/** @param write returns false if there is no room for the notice; it then counts as not written */
export const createNoticePace = (
  clock: Pick<Clock, 'now' | 'after'>,
  write: (counted: CountedNotice) => boolean,
): NoticePace => {
  const objects = new Map<string, ObjectNotices>()

  /** Moves the object to the end of the map: the one that is first is forgotten first. */
  const remembered = (uid: string): ObjectNotices => {
    const known = objects.get(uid)
    objects.delete(uid)
    const entry = known ?? {
      shown: undefined,
      waiting: undefined,
      stopTimer: () => {},
      tokens: burst,
      refilledAt: clock.now(),
    }
    objects.set(uid, entry)
    for (const [oldest, { stopTimer }] of objects) {
      if (objects.size <= mostRemembered) break
      stopTimer()
      objects.delete(oldest)
    }
    return entry
  }

  const refill = (entry: ObjectNotices): void => {
    const now = clock.now()
    const gained = Math.floor((now - entry.refilledAt) / refillMs)
    entry.tokens = Math.min(burst, entry.tokens + gained)
    entry.refilledAt = entry.tokens === burst ? now : entry.refilledAt + gained * refillMs
  }

  const writeNow = (entry: ObjectNotices, { notice, times, at }: CountedNotice): void => {
    const key = keyOfNotice(notice)
    const { shown } = entry
    const isSame = shown?.key === key
    const counted = {
      notice,
      times: times + (isSame ? shown.skipped : 0),
      at: shown === undefined || isSame ? at : Math.max(at, shown.at + secondMs),
    }
    if (!write(counted)) return
    entry.tokens--
    entry.shown = { key, at: counted.at, skipped: 0 }
  }

  const stopWaiting = (entry: ObjectNotices): void => {
    entry.stopTimer()
    entry.waiting = undefined
  }

  return {
    add: (notice, isFrequent) => {
      const entry = remembered(notice.object.uid)
      const { shown, waiting } = entry
      const key = keyOfNotice(notice)
      const now = clock.now()
      if (isFrequent && shown?.key === key && now - shown.at < quietMs) {
        // What waits is over: the object is as its newest Event says.
        stopWaiting(entry)
        shown.skipped++
        return
      }
      const before = waiting !== undefined && keyOfNotice(waiting.notice) === key ? waiting.times : 0
      const counted = { notice, times: before + 1, at: now }
      refill(entry)
      if (entry.tokens > 0) {
        stopWaiting(entry)
        return writeNow(entry, counted)
      }
      entry.waiting = counted
      if (waiting !== undefined) return
      entry.stopTimer = clock.after(entry.refilledAt + refillMs - now, () => {
        refill(entry)
        const newest = entry.waiting
        entry.waiting = undefined
        if (newest !== undefined) writeNow(entry, newest)
      })
    },
    failed: ({ object }) => {
      const entry = objects.get(object.uid)
      if (entry !== undefined) entry.shown = undefined
    },
    close: () => {
      for (const { stopTimer } of objects.values()) stopTimer()
      objects.clear()
    },
  }
}
