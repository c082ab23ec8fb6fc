import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import type { Notice } from './notice.ts'

export interface CountedNotice {
  readonly notice: Notice
  /** How often it has happened since the last write. */
  readonly times: number
  readonly at: Timestamp
}

/**
 * Decides which notices of an object are written, and when. An object can have any number of messages, so a token
 * bucket limits its writes, as in client-go's recorder (tools/record/events_cache.go: EventSourceObjectSpamFilter). The
 * newest notice is never dropped. It waits for a token, so that the newest Event shows the current state of the object.
 */
export interface NoticePace {
  /** @param isFrequent true: repeats within five minutes are counted and written together after that time */
  add(notice: Notice, isFrequent: boolean): void
  /** Reports a failed write. The same notice is written when it happens again. */
  failed(notice: Notice): void
  close(): void
}

/** The shortest time between two writes of the same notice of an object, in ms. */
const quietMs = 300_000
/** The token bucket of one object: its size, and the ms until it gains a token. client-go: size 25, same time. */
const burst = 10
const refillMs = 300_000
/** The most objects that are remembered. A forgotten object starts with a full bucket. */
const mostRemembered = 5_000
/** Events have whole seconds, and kubectl sorts by them. */
const secondMs = 1_000

interface ObjectNotices {
  /** The last written notice, and the number of repeats since. */
  shown: { readonly key: string; readonly at: Timestamp; skipped: number } | undefined
  /** The newest notice, which waits for a token. */
  waiting: CountedNotice | undefined
  stopTimer: () => void
  tokens: number
  refilledAt: Timestamp
}

/** Identifies a notice among those of all objects. */
export const keyOfNotice = ({ object, reason, topic, message }: Notice): string =>
  `${object.uid} ${reason} ${topic ?? message}`

/** @param write returns false if there is no room for the notice, which then counts as unwritten */
export const createNoticePace = (
  clock: Pick<Clock, 'now' | 'after'>,
  write: (counted: CountedNotice) => boolean,
): NoticePace => {
  const objects = new Map<string, ObjectNotices>()

  /** Moves the object to the end of the map. The first object of the map is forgotten first. */
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
        // The waiting notice is outdated: the newest Event already shows the current state.
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
