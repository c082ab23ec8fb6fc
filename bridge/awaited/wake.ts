import type { Timestamp } from '../../shared/clock/clock.ts'

/** That what a step waits for has changed, so that it is to go on before its time. */
export interface Wake {
  /** When its event is due; it stays where it is until a claim shows that the event has arrived. */
  readonly at: Timestamp
  /** When the first change was seen that no event was sent after. */
  readonly changedAt: Timestamp
  /** There is nothing more to wait for, as far as what has changed tells. */
  readonly complete: boolean
  /** An event went out since the last change: the step that it makes sees them all. */
  readonly sent: boolean
}

/** Events that an object got before their time. */
export interface Woken {
  /** When the last one went out. */
  readonly at: Timestamp
  /** How many in a row said that there is nothing more to wait for. */
  readonly completed: number
}

/** Changes that come together are one event. */
const gatherMs = 200
/** Between two such events of an object, while there is more to wait for. */
const paceMs = 5_000
/**
 * The same where there is nothing more to wait for, so that the last of many is told at once; twice as long after each one in
 * a row, up to `paceMs`: something that comes and goes is no end.
 */
const firstCompleteMs = 500
/** After so long without one, a row is over. */
const rowMs = 30_000

const dueAt = (changedAt: Timestamp, complete: boolean, woken: Woken | undefined): Timestamp => {
  const gathered = changedAt + gatherMs
  if (woken === undefined) return gathered
  const row = changedAt - woken.at > rowMs ? 0 : woken.completed
  const gap = complete ? Math.min(firstCompleteMs * 2 ** row, paceMs) : paceMs
  return Math.max(gathered, woken.at + gap)
}

/** Something has changed. */
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

/** An event of the object goes out, whatever for: its step reads what there is later than now. */
export const withEventSent = (wake: Wake | undefined): Wake | undefined => wake && { ...wake, sent: true }

/** The event that was sent has claimed the object. What has changed since is still to be told. */
export const withClaimSeen = (wake: Wake | undefined, woken: Woken | undefined): Wake | undefined =>
  wake === undefined || wake.sent ? undefined : { ...wake, at: dueAt(wake.changedAt, wake.complete, woken) }

/** An event went out before its time. */
export const nextWoken = (
  woken: Woken | undefined,
  wake: Pick<Wake, 'complete'> | undefined,
  now: Timestamp,
): Woken => {
  const row = woken === undefined || now - woken.at > rowMs ? 0 : woken.completed
  return { at: now, completed: wake?.complete ? row + 1 : row }
}
