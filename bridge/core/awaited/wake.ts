import type { Timestamp } from '../../../shared/clock/clock.ts'

/** A change of something that a step waits for: the step continues before its time. */
export interface Wake {
  /** The time at which its event is due. It does not move until a claim shows that the event has arrived. */
  readonly at: Timestamp
  /** The time of the first change without a later event. */
  readonly changedAt: Timestamp
  /** As far as the changes show, there is nothing more to wait for. */
  readonly complete: boolean
  /** An event was sent since the last change; its step sees all changes. */
  readonly sent: boolean
}

/** Early events of an object. */
export interface Woken {
  /** The time of the last one. */
  readonly at: Timestamp
  /** The number of consecutive events that reported nothing more to wait for. */
  readonly completed: number
}

/** Changes within this time are combined into one event. */
const gatherMs = 200
/** The interval between two such events of an object while there is more to wait for. */
const paceMs = 5_000
/**
 * The interval when there is nothing more to wait for, so that the last of many changes is reported at once. It doubles
 * after each consecutive event, up to `paceMs`, because a resource that flaps is not complete.
 */
const firstCompleteMs = 500
/** After this time without an event, consecutive events are counted from zero again. */
const pauseMs = 30_000

const dueAt = (changedAt: Timestamp, complete: boolean, woken: Woken | undefined): Timestamp => {
  const gathered = changedAt + gatherMs
  if (woken === undefined) return gathered
  const completed = changedAt - woken.at > pauseMs ? 0 : woken.completed
  const gap = complete ? Math.min(firstCompleteMs * 2 ** completed, paceMs) : paceMs
  return Math.max(gathered, woken.at + gap)
}

/** Records a change. */
export const withChange = (
  wake: Wake | undefined,
  complete: boolean,
  now: Timestamp,
  woken: Woken | undefined,
): Wake => {
  if (wake === undefined) return { at: dueAt(now, complete, woken), changedAt: now, complete, sent: false }
  if (wake.sent) return { at: wake.at, changedAt: now, complete, sent: false }
  return complete && !wake.complete
    ? { ...wake, complete, at: Math.min(wake.at, dueAt(now, true, woken)) }
    : wake
}

/** Records that any event of the object is sent: its step reads the current state later. */
export const withEventSent = (wake: Wake): Wake => ({ ...wake, sent: true })

/** The sent event has claimed the object. Later changes still need an event. */
export const withClaimSeen = (wake: Wake | undefined, woken: Woken | undefined): Wake | undefined =>
  wake === undefined || wake.sent ? undefined : { ...wake, at: dueAt(wake.changedAt, wake.complete, woken) }

/** Records an event that was sent before its time. */
export const nextWoken = (
  woken: Woken | undefined,
  wake: Pick<Wake, 'complete'> | undefined,
  now: Timestamp,
): Woken => {
  const completed = woken === undefined || now - woken.at > pauseMs ? 0 : woken.completed
  return { at: now, completed: wake?.complete ? completed + 1 : completed }
}
