import type { Timestamp } from '../../../shared/clock/clock.ts'
import { eventId } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { dueWorkOf, factsOf } from '../../../shared/lifecycle/lifecycle.ts'

interface Version {
  readonly object: KubernetesObject
  readonly from: Timestamp
  until: Timestamp
}

/** Records all versions of the objects, and so every justified event. */
export interface History {
  note(object: KubernetesObject, now: Timestamp): void
  gone(uid: string, now: Timestamp): void
  /**
   * Returns true if a version of the object justifies the event at that time. Only versions that existed at some time
   * from `since` on count: a bridge that sees the current state has no reason to act on an older one. `isWoken`: an
   * object that its step waits for has changed.
   */
  asksFor(uid: string, id: string, now: Timestamp, since: Timestamp, isWoken: boolean): boolean
  /**
   * Returns true if a version that is newer than those that justify the event was claimed or needed no work. A bridge
   * that sees that version late has already delivered the event (docs/decisions/0023).
   */
  isPast(uid: string, id: string, now: Timestamp): boolean
}

export const createHistory = (): History => {
  const versions = new Map<string, Version[]>()

  const end = (uid: string, now: Timestamp) => {
    const last = versions.get(uid)?.at(-1)
    if (last !== undefined) last.until = now
  }

  const asks = (uid: string, id: string, { object, from }: Version, now: Timestamp, isWoken: boolean) => {
    const facts = factsOf(object)
    // A bridge that saw the write knows more than one that started later.
    return [true, false].some(written => {
      const due = dueWorkOf('DNSRecord', facts, now, {
        at: from,
        written,
        ...(isWoken && { wakeAt: now }),
      })
      return due.kind === 'emit' && eventId(uid, facts.generation, due.operation, due.cause) === id
    })
  }

  return {
    note: (object, now) => {
      const { uid = '' } = object.metadata
      end(uid, now)
      const all = versions.get(uid) ?? []
      versions.set(uid, all)
      all.push({ object, from: now, until: Number.POSITIVE_INFINITY })
    },
    gone: end,
    asksFor: (uid, id, now, since, isWoken) =>
      (versions.get(uid) ?? []).some(
        version => version.until >= since && asks(uid, id, version, now, isWoken),
      ),
    isPast: (uid, id, now) => {
      const all = versions.get(uid) ?? []
      const asking = all.findLastIndex(version => asks(uid, id, version, now, false))
      return (
        asking >= 0 &&
        all
          .slice(asking + 1)
          .some(({ object }) => dueWorkOf('DNSRecord', factsOf(object), now).kind !== 'emit')
      )
    },
  }
}
