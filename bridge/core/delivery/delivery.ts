import { randomUUID } from 'node:crypto'
import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import type { Queue, WorkResult } from '../../../shared/event-queue/event-queue.ts'
import { type ExtensionEvent, emit, type Send, type SendResult } from '../../../shared/events/events.ts'
import type { Facts } from '../../../shared/lifecycle/lifecycle.ts'
import { nextWoken, withEventSent } from '../awaited/wake.ts'
import type { About, Observe } from '../core-event.ts'
import type { Sent } from '../objects/decide.ts'
import type { PendingObject, PendingObjects } from '../objects/pending-objects.ts'
import type { Served } from '../objects/served.ts'

export interface DeliveryOptions {
  readonly send: Send
  readonly clock: Clock
  readonly unclaimedMs: number
  readonly queue: Pick<Queue, 'addAt' | 'works'>
  readonly served: Served
  readonly observe: Observe
  /** Returns a new unguessable text, at most 64 characters. Default: a random UUID. */
  readonly newSending?: () => string
}

/** An outgoing event, and the facts of the object that it was decided on. */
export interface Outgoing {
  readonly event: ExtensionEvent
  readonly facts: Facts
  readonly about: About
}

/**
 * An event without an answer or a claim by then gives its slot to the next: a broker that waits for its function is
 * slow, not down. About a cold start; a later claim still counts as delivery.
 */
const patienceMs = 5_000
/** The wait after a connection that broke without an answer; four times as long after each consecutive one. */
const firstBrokenMs = 250
const longestBrokenMs = 60_000
/**
 * The first wait before a refused event is sent again; it doubles. The cause may be fixed without a change of the
 * object.
 */
const firstRefusedMs = 60_000
const longestRefusedMs = 3_600_000

/**
 * Sends one event. It is delivered when the sink answers, or when the object shows its claim, whichever is first. A
 * request without a waiter is not cancelled, because a broker that answers late still needs it.
 */
export const createDelivery = (
  pendingObjects: PendingObjects,
  options: DeliveryOptions,
): ((pending: PendingObject, outgoing: Outgoing, signal: AbortSignal) => Promise<WorkResult>) => {
  const { send, clock, unclaimedMs, queue, served, observe, newSending = () => randomUUID() } = options
  const { all } = pendingObjects

  const isStill = (pending: PendingObject, mine: Sent) =>
    all.get(pending.id) === pending && pending.sent === mine

  /** Waits for the claim of a sent event. */
  const awaitClaim = (
    pending: PendingObject,
    { facts, event }: Outgoing,
    seen: number,
  ): { readonly kind: 'again'; readonly at: Timestamp } => {
    const next = pendingObjects.decide(pending.kind, facts, event.namespace, pending)
    if (next.kind !== 'nothing' && pending.seen === seen) pendingObjects.note(pending, next)
    return { kind: 'again', at: next.kind === 'wait' ? next.at : clock.now() + unclaimedMs }
  }

  /** Parks the event. Returns the time of the next attempt. */
  const refused = (pending: PendingObject, about: About, status: number, reason: string): Timestamp => {
    pendingObjects.park(pending, about, status, reason)
    return clock.now() + Math.min(firstRefusedMs * 2 ** (pending.refusals - 1), longestRefusedMs)
  }

  /** Returns the time at which an event with a broken connection is sent again. */
  const broken = (pending: PendingObject): Timestamp =>
    clock.now() + Math.min(firstBrokenMs * 4 ** pending.breaks++, longestBrokenMs)

  const announceUnclaimed = (pending: PendingObject, { event, about }: Outgoing, times: number) => {
    if (times === 0 && !served.complete) return
    const known = served.types(pending.kind)
    if (times === 0 && known.includes(event.provider)) return
    const { provider, objectuid: uid } = event
    observe({ type: 'unclaimed', times, provider, known, uid, ...about })
  }

  return async (pending, outgoing, signal) => {
    const { event, about } = outgoing
    const before = pending.sent
    const began = clock.now()
    const { seen, since } = pending
    const isEarly = about.reason === 'changed'
    const sending = newSending()
    const mine: Sent = {
      sending,
      // Reuses the stored string if the text is the same.
      id: pending.lastDecision?.id ?? event.id,
      operation: event.operation,
      at: began,
      times:
        before?.id === event.id && !before.early ? before.times + (before.againAt === undefined ? 1 : 0) : 1,
      ...(isEarly && { early: true }),
    }
    // Recorded before the answer: the claim may be seen first, and deletes the record.
    pending.sent = mine
    if (isEarly) pending.woken = nextWoken(pending.woken, pending.wake, began)
    pending.wake = pending.wake && withEventSent(pending.wake)
    if (about.reason === 'touched') pending.touchedAt = began
    const arrival = Promise.withResolvers<'arrived' | 'forgotten'>()
    pending.arrival = arrival.resolve
    announceUnclaimed(pending, outgoing, mine.times - 1)
    observe({ type: 'emitted', times: mine.times, ...about })

    const answer = emit(send, { ...event, sending }, signal).then(result => {
      observe({ type: 'answered', tookMs: clock.now() - began, status: statusOf(result), ...about })
      return result
    })
    const open = answer.then(() => undefined)
    const arrived = (by: 'answer' | 'claim') => {
      pending.failure = undefined
      pending.breaks = 0
      observe({ type: 'accepted', times: mine.times, by, lagMs: clock.now() - since, ...about })
    }

    /** Runs after the slot was given up: applies the claim or the answer, whichever is first. */
    const follow = async (): Promise<void> => {
      const end = await Promise.race([arrival.promise, answer])
      if (end === 'forgotten' || signal.aborted) return
      if (end === 'arrived' || end.kind === 'accepted') {
        arrived(end === 'arrived' ? 'claim' : 'answer')
        return queue.works(pending.kind)
      }
      if (end.kind === 'unanswered' || !isStill(pending, mine)) return
      pending.failure = end.reason
      if (end.kind === 'park') {
        if (pending.seen !== seen) return
        queue.addAt(pending.id, pending.kind, refused(pending, about, end.status, end.reason))
      } else if (end.status === undefined) {
        // The connection broke, so the work on the event is lost. With an answer, the broker has done its part, and the
        // event counts as unclaimed.
        pending.sent = before
        observe({ type: 'retried', why: end.reason, status: undefined, code: end.code, ...about })
        queue.addAt(pending.id, pending.kind, broken(pending))
      }
    }

    const patience = Promise.withResolvers<'patience ended'>()
    // Timers run first. After a pause of the process, an answer that arrived in time may still be unread.
    const disarm = clock.after(patienceMs, () => setImmediate(() => patience.resolve('patience ended')))
    const first = await Promise.race([arrival.promise, answer, patience.promise])
    disarm()
    const isLive = isStill(pending, mine)
    if (first === 'arrived' || first === 'forgotten') {
      if (first === 'arrived') arrived('claim')
      return { kind: 'finished', answered: first === 'arrived', open }
    }
    if (first === 'patience ended' || first.kind === 'unanswered') {
      observe({ type: 'unanswered', ...about })
      void follow()
      if (pending.seen === seen) pendingObjects.cache(pending, undefined)
      return { ...awaitClaim(pending, outgoing, seen), answered: false, open }
    }
    switch (first.kind) {
      case 'accepted':
        arrived('answer')
        if (pending.seen === seen) pendingObjects.cache(pending, undefined)
        if (!isLive) return { kind: 'finished', answered: true }
        pending.sent = { ...mine, at: clock.now() }
        return { ...awaitClaim(pending, outgoing, seen), answered: true }
      case 'retry': {
        if (isLive) pending.sent = before
        const { reason: why, status, code, afterMs } = first
        // The bridge has closed the connection itself.
        if (signal.aborted) return { kind: 'failed' }
        pending.failure = why
        observe({ type: 'retried', why, status, code, ...about })
        return { kind: 'failed', afterMs }
      }
      case 'park':
        if (isLive) pending.sent = before
        if (!isLive || pending.seen !== seen) return { kind: 'finished', answered: true }
        return { kind: 'again', at: refused(pending, about, first.status, first.reason), answered: true }
    }
  }
}

const statusOf = (result: SendResult): 'accepted' | 'none' | number =>
  result.kind === 'accepted' ? 'accepted' : (('status' in result ? result.status : undefined) ?? 'none')
