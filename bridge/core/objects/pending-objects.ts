import type { Clock } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Facts } from '../../../shared/lifecycle/lifecycle.ts'
import type { About, Observe } from '../bridge-event.ts'
import { type Decision, type Delays, decide, type HoldReason, isSettled } from './decide.ts'
import { createKeptObjects } from './kept-objects.ts'
import { aboutOf, keyOf, lastDecisionOf, type PendingObject } from './pending-object.ts'
import { isSelected, type Selection } from './selection.ts'

export interface PendingObjectsOptions {
  readonly clock: Clock
  readonly selection: Selection
  readonly delays: Delays
  readonly hold: (kind: KindName, namespace: string | undefined) => HoldReason | undefined
  readonly observe: Observe
  /** Kinds with objects that are looked up by namespace. */
  readonly byNamespace: ReadonlySet<KindName>
}

/** All objects with open work, and the decision on each. */
export interface PendingObjects {
  readonly all: ReadonlyMap<string, PendingObject>
  add(pending: PendingObject): void
  /** Returns the objects of a kind of `byNamespace` in a namespace. */
  inNamespace(kind: KindName, namespace: string): Iterable<PendingObject>
  /** Removes the object and its stored content. `how`: says if the object shows that its event has arrived. */
  remove(id: string, how?: 'arrived' | 'forgotten'): void
  /** Stores the object until it is sent, within limits; undefined: releases the stored one. */
  keep(pending: PendingObject, object: KubernetesObject | undefined): void
  /** Returns true if this bridge is responsible for the object. */
  isOurs(kind: KindName, facts: Facts, namespace: string | undefined): boolean
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
  const { clock, selection, delays, hold, observe, byNamespace } = options
  const all = new Map<string, PendingObject>()
  const inNamespaces = new Map<string, Set<PendingObject>>()
  const kept = createKeptObjects()

  const keep = (pending: PendingObject, object: KubernetesObject | undefined) => {
    if (pending.object !== undefined) kept.release(pending.object)
    pending.object = object && kept.keep(object)
  }

  const settle = (pending: PendingObject, how: 'arrived' | 'forgotten') => {
    pending.settled?.(how)
    pending.settled = undefined
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
      keep(pending, undefined)
      settle(pending, how)
    },
    keep,
    isOurs: (kind, facts, namespace) => isSelected(selection, kind, facts, namespace),
    decide: (kind, facts, namespace, { sent, step, touchedAt, wake }) =>
      decide({
        kind,
        facts,
        now: clock.now(),
        sent,
        seen: wake === undefined || step === undefined ? step : { ...step, wakeAt: wake.at },
        touchedAt,
        hold: hold(kind, namespace),
        delays,
      }),
    note: (pending, decision) => {
      const before = pending.lastDecision?.id === decision.id ? pending.lastDecision : undefined
      // Work that waited for its time or its shoot is needed only from now on; a repeated event is as old as the first.
      if (!before || (decision.kind === 'send' && (before.kind === 'hold' || isSettled(before)))) {
        pending.since = clock.now()
      }
      if (isSettled(decision)) {
        pending.sent = undefined
        settle(pending, 'arrived')
      }
      const lastDecision = lastDecisionOf(decision, before?.id ?? decision.id)
      pending.lastDecision = lastDecision
      if (before?.kind === lastDecision.kind && before.why === lastDecision.why) return
      const about = aboutOf(pending, decision)
      if (decision.kind === 'hold') observe({ type: 'held', why: decision.why, ...about })
      else if (decision.kind === 'wait')
        observe({ type: 'later', at: decision.at, why: decision.why, ...about })
      else observe({ type: 'due', initial: pending.priority === 'low', ...about })
    },
    park: (pending, about, status, why) => {
      pending.parked = why
      pending.refusals++
      keep(pending, undefined)
      observe({ type: 'parked', status, why, uid: pending.uid ?? '', ...about })
    },
  }
}

const scopeOf = (kind: KindName, namespace: string | undefined): string => `${kind} ${namespace ?? ''}`
