import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { isLonger } from '../../../shared/decode/json-bounds.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { Priority } from '../../../shared/event-queue/event-queue.ts'
import { eventData } from '../../../shared/events/events.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { keyOfId, idOf as nameOf } from '../../../shared/kubernetes/kubernetes.ts'
import { type Facts, type PieceOfWork, withShootPause } from '../../../shared/lifecycle/lifecycle.ts'
import { cutText } from '../../../shared/text/cut-text.ts'
import { type Wake, type Woken, withClaimSeen } from '../awaited/wake.ts'
import type { About, Observe } from '../core-event.ts'
import type { Decision, HoldReason, MarkedStep, Sent, WaitReason } from './decide.ts'
import { decide, isClaimSeen } from './decide.ts'
import type { Preconditions } from './preconditions.ts'

/**
 * The stored part of a decision: enough to compare it with the next one and to show what waits. The rest is computed
 * again when the object is due. Fifty thousand of them fit in memory.
 */
export interface LastDecision {
  readonly kind: Exclude<Decision['kind'], 'nothing'>
  /** '' if it is to be sent. */
  readonly why: WaitReason | HoldReason | ''
  readonly operation: PieceOfWork['operation']
  readonly reason: PieceOfWork['reason']
  readonly attempt: number
  readonly id: string
}

/** An object with open work. Objects without work have no entry. */
export interface PendingObject {
  /** The result of `idOf`. Contains the key of the object. */
  readonly id: string
  readonly kind: KindName
  readonly uid: string | undefined
  /** Stored until it is sent, within limits; otherwise the object is read when it is due. */
  object: CachedObject | undefined
  /** The number of observations of the object, to detect a change in between. */
  seen: number
  priority: Priority
  /** The current decision; undefined before the first one. */
  lastDecision: LastDecision | undefined
  /** The time at which the need for the decision's event was seen. */
  since: Timestamp
  /** The time at which the need arose, according to the object itself; undefined: the object does not say. */
  needed: Timestamp | undefined
  /** The current step annotation, and since when it is shown. */
  step: MarkedStep | undefined
  /** The time of the last event for a touch of the deleting object. */
  touchedAt: Timestamp | undefined
  /** A change of the awaited objects. */
  wake: Wake | undefined
  /** The early events that were sent for such changes. */
  woken: Woken | undefined
  sent: Sent | undefined
  /** Called when the object shows that its event has arrived, or when nothing waits for that any more. */
  arrival: ((how: 'arrived' | 'forgotten') => void) | undefined
  parked: string | undefined
  /** The number of consecutive refusals of its event by the sink. */
  refusals: number
  /** The number of consecutive connections that broke after a while. */
  breaks: number
  /** The number of consecutive times that the broker could not deliver the event. */
  losses: number
  /** Why the sink did not accept the last event. */
  failure: string | undefined
  /** The error that the last step has written. */
  error: string | undefined
}

export const idOf = (kind: KindName, key: ObjectKey): string => `${kind} ${nameOf(key)}`

/** Returns the part of the id that names the object within its kind. */
export const objectNameOf = ({ id, kind }: Pick<PendingObject, 'id' | 'kind'>): string =>
  id.slice(kind.length + 1)

export const keyOf = (pending: Pick<PendingObject, 'id' | 'kind'>): ObjectKey =>
  keyOfId(objectNameOf(pending))

export const newPendingObject = (
  id: string,
  kind: KindName,
  uid: string | undefined,
  since: Timestamp,
): PendingObject => ({
  id,
  kind,
  uid,
  object: undefined,
  seen: 0,
  priority: 'fresh',
  lastDecision: undefined,
  since,
  needed: undefined,
  step: undefined,
  touchedAt: undefined,
  wake: undefined,
  woken: undefined,
  sent: undefined,
  arrival: undefined,
  parked: undefined,
  refusals: 0,
  breaks: 0,
  losses: 0,
  failure: undefined,
  error: undefined,
})

/**
 * Removes the changes of awaited objects that a new claim has read, so that they cause no further event. Call it before
 * `pending.step` is set to `step`.
 */
export const noteClaim = (pending: PendingObject, facts: Facts, step: MarkedStep | undefined): void => {
  if (pending.wake === undefined || facts.step === undefined || step?.mark === pending.step?.mark) return
  if (facts.step.event === pending.sent?.id) pending.wake = withClaimSeen(pending.wake, pending.woken)
  // Another bridge has sent it: the step reads every change seen before its claim.
  else if (facts.step.phase === 'claimed') pending.wake = undefined
}

export const aboutOf = (
  pending: PendingObject,
  { work, id }: Exclude<Decision, { kind: 'nothing' }>,
): About => ({
  kind: pending.kind,
  object: objectNameOf(pending),
  id,
  operation: work.operation,
  reason: work.reason,
  attempt: work.attempt,
})

export interface PendingObjectsOptions {
  readonly clock: Clock
  readonly unclaimedMs: number
  readonly preconditions: Pick<Preconditions, 'hold' | 'pause'>
  readonly observe: Observe
  /** Kinds with objects that are looked up by namespace. */
  readonly byNamespace: ReadonlySet<KindName>
}

/** All objects with open work, and the decision on each. */
export interface PendingObjects {
  readonly all: ReadonlyMap<string, PendingObject>
  add(pending: PendingObject): void
  inNamespace(kind: KindName, namespace: string): Iterable<PendingObject>
  /** Removes the object and its stored content. `how`: says if the object shows that its event has arrived. */
  remove(id: string, how?: 'arrived' | 'forgotten'): void
  /** Stores the object until it is sent, within limits; undefined: releases the stored one. */
  cache(pending: PendingObject, object: KubernetesObject | undefined): void
  decide(
    kind: KindName,
    facts: Facts,
    namespace: string | undefined,
    known: Partial<Pick<PendingObject, 'sent' | 'step' | 'touchedAt' | 'wake'>>,
  ): Decision
  /** Records the decision on the entry, and notifies the observers if it is a new one. */
  note(pending: PendingObject, decision: Exclude<Decision, { kind: 'nothing' }>): void
  /** Sends nothing for the object for a while. `status`: the sink's answer; 0: it cannot be sent until it changes. */
  park(pending: PendingObject, about: About, status: number, why: string): void
}

export const createPendingObjects = (options: PendingObjectsOptions): PendingObjects => {
  const { clock, unclaimedMs, preconditions, observe, byNamespace } = options
  const all = new Map<string, PendingObject>()
  const inNamespaces = new Map<string, Set<PendingObject>>()
  const objectCache = createObjectCache()

  const cache = (pending: PendingObject, object: KubernetesObject | undefined) => {
    if (pending.object !== undefined) objectCache.release(pending.object)
    pending.object = object && objectCache.cache(object)
  }

  const endWait = (pending: PendingObject, how: 'arrived' | 'forgotten') => {
    pending.arrival?.(how)
    pending.arrival = undefined
  }

  return {
    all,
    inNamespace: (kind, namespace) => inNamespaces.get(scopeOf(kind, namespace)) ?? [],
    add: pending => {
      all.set(pending.id, pending)
      if (!byNamespace.has(pending.kind)) return
      const scope = scopeOf(pending.kind, keyOf(pending).namespace)
      const present = inNamespaces.get(scope)
      if (present === undefined) inNamespaces.set(scope, new Set([pending]))
      else present.add(pending)
    },
    remove: (id, how = 'forgotten') => {
      const pending = all.get(id)
      all.delete(id)
      if (pending === undefined) return
      const scope = scopeOf(pending.kind, keyOf(pending).namespace)
      const present = inNamespaces.get(scope)
      if (present?.delete(pending) && present.size === 0) inNamespaces.delete(scope)
      cache(pending, undefined)
      endWait(pending, how)
    },
    cache,
    decide: (kind, facts, namespace, { sent, step, touchedAt, wake }) =>
      decide({
        kind,
        facts: withShootPause(kind, facts, preconditions.pause(namespace), clock.now()),
        now: clock.now(),
        sent,
        seen: wake === undefined || step === undefined ? step : { ...step, wakeAt: wake.at },
        touchedAt,
        hold: preconditions.hold(kind, namespace),
        unclaimedMs,
      }),
    note: (pending, decision) => {
      const before = pending.lastDecision?.id === decision.id ? pending.lastDecision : undefined
      // Work that waited for its time or its shoot is needed only from now on; a repeated event is as old as the first.
      if (!before || (decision.kind === 'send' && (before.kind === 'hold' || isClaimSeen(before))))
        pending.since = clock.now()
      if (isClaimSeen(decision)) {
        pending.sent = undefined
        pending.losses = 0
        endWait(pending, 'arrived')
      }
      const { kind, work } = decision
      const { operation, reason, attempt } = work
      const why = 'why' in decision ? decision.why : ''
      // Reuses the stored string if the text is the same.
      pending.lastDecision = { kind, why, operation, reason, attempt, id: before?.id ?? decision.id }
      if (before?.kind === kind && before.why === why) return
      const about = aboutOf(pending, decision)
      if (decision.kind === 'hold') observe({ type: 'held', why: decision.why, ...about })
      else if (decision.kind === 'wait')
        observe({ type: 'later', at: decision.at, why: decision.why, uid: pending.uid ?? '', ...about })
      else observe({ type: 'due', initial: pending.priority === 'low', ...about })
    },
    park: (pending, about, status, why) => {
      pending.parked = why
      pending.refusals++
      cache(pending, undefined)
      observe({ type: 'parked', status, why, uid: pending.uid ?? '', ...about })
    },
  }
}

const scopeOf = (kind: KindName, namespace: string | undefined): string => `${kind} ${namespace ?? ''}`

/**
 * An object stored until it is sent: as it is, or the part for its event, serialized. Without the first form, each
 * event of a quiet seed would be serialized and parsed once more.
 */
export type CachedObject = KubernetesObject | string

/** Stores a bounded number of objects for the holder of `cache`'s result. */
export interface ObjectCache {
  /** Returns undefined if there are too many or the object is too large; the caller reads it again when it is due. */
  cache(object: KubernetesObject): CachedObject | undefined
  /** Releases the result of `cache`. */
  release(cached: CachedObject): void
}

/** The maximum number of objects stored as they are, and of characters of serialized ones. */
const mostWhole = 500
const mostLength = 16 * 1024 * 1024
/** The JSON length up to which an object is stored as it is; in memory it takes about five times as much. */
const largestWhole = 12 * 1024

export const createObjectCache = (limits = { mostWhole, mostLength }): ObjectCache => {
  let whole = 0
  let length = 0
  return {
    cache: object => {
      if (whole < limits.mostWhole && !isLonger(object, largestWhole)) {
        whole++
        return object
      }
      const data = length < limits.mostLength ? eventData(object) : undefined
      if (data === undefined) return undefined
      const text = JSON.stringify(data)
      if (length + text.length > limits.mostLength) return undefined
      length += text.length
      return text
    },
    release: cached => {
      if (typeof cached === 'string') length -= cached.length
      else whole--
    },
  }
}

export const objectOf = (cached: CachedObject): KubernetesObject =>
  typeof cached === 'string' ? (JSON.parse(cached) as KubernetesObject) : cached

/**
 * Returns since when an object needs its work, according to the object itself, so that a restarted process knows it
 * too. Returns undefined if the object does not say. Anybody may write the annotation of the request: a time before the
 * object was created, or after `now`, is not that of the request.
 */
export const neededSince = (
  object: KubernetesObject,
  facts: Facts,
  work: Pick<PieceOfWork, 'reason'>,
  now: Timestamp,
): Timestamp | undefined => {
  const { timestamp } = facts
  const isLate = (parseTimestamp(timestamp) ?? 0) > now
  const since = claimedSince(object, isLate ? { ...facts, timestamp: '' } : facts, work)
  const earliest = timesOf(object.metadata.creationTimestamp).filter(time => time <= now)
  return since === undefined ? undefined : Math.max(since, ...earliest)
}

/** Returns the time in the object. */
const claimedSince = (
  { metadata }: KubernetesObject,
  { timestamp, deletionTimestamp, lastOperation }: Facts,
  { reason }: Pick<PieceOfWork, 'reason'>,
): Timestamp | undefined => {
  const created = metadata.creationTimestamp
  const lastTried = lastOperation?.lastUpdateTime
  // A request that has not succeeded counts from its own time, however often it was tried.
  const asked = lastOperation?.state === 'Succeeded' ? undefined : timestamp
  switch (reason) {
    case 'annotation':
      return timesOf(timestamp, created)[0]
    case 'deletion':
      // gardenlet rewrites the timestamp when it requests a deletion again.
      return timesOf(deletionTimestamp, timestamp)
        .toSorted((one, other) => one - other)
        .at(-1)
    case 'created':
      return timesOf(created)[0]
    case 'resume':
    case 'due':
    case 'changed':
    case 'retry':
    case 'expired':
    case 'touched':
      return timesOf(asked, lastTried).toSorted((one, other) => one - other)[0] ?? timesOf(created)[0]
  }
}

const timesOf = (...texts: readonly (string | undefined)[]): readonly Timestamp[] =>
  texts.map(text => parseTimestamp(text)).filter(time => time !== undefined)

/** The number of characters of an error in the log of waiting objects. */
const longestError = 160

/** Returns the first line of the error that the last step has written. */
export const lastErrorOf = ({ status }: KubernetesObject): string | undefined => {
  const description = stringOf(recordOf(recordOf(status).lastError).description)
  if (description === '') return undefined
  const [firstLine = ''] = description.split('\n', 1)
  return cutText(firstLine, longestError)
}
