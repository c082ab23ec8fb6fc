import type { Timestamp } from '../../../shared/clock/clock.ts'
import { eventId } from '../../../shared/events/events.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { dueWorkOf, factsOf } from '../../../shared/lifecycle/lifecycle.ts'

interface Version {
  readonly object: KubernetesObject
  readonly from: Timestamp
  until: Timestamp
}

/** Every version that objects had, and so every event that there is a reason for. */
export interface History {
  note(object: KubernetesObject, now: Timestamp): void
  gone(uid: string, now: Timestamp): void
  /**
   * Whether some version of the object asks for the event at that time. Only versions count that were there at some
   * time from `since` on: a bridge that sees all at once has no reason in an older one. `isWoken`: what its step waits for
   * has changed.
   */
  asksFor(uid: string, id: string, now: Timestamp, since: Timestamp, isWoken: boolean): boolean
}

export const createHistory = (): History => {
  const versions = new Map<string, Version[]>()

  const end = (uid: string, now: Timestamp) => {
    const last = versions.get(uid)?.at(-1)
    if (last !== undefined) last.until = now
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
      (versions.get(uid) ?? []).some(({ object, from, until }) => {
        if (until < since) return false
        const facts = factsOf(object)
        // Who was there when it was written knows more than who came later.
        return [true, false].some(written => {
          const due = dueWorkOf('DNSRecord', facts, now, {
            at: from,
            written,
            ...(isWoken && { wakeAt: now }),
          })
          return due.kind === 'emit' && eventId(uid, facts.generation, due.operation, due.cause) === id
        })
      }),
  }
}
