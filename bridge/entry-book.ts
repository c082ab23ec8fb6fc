import type { Clock } from '../shared/clock/clock.ts'
import type { KindName } from '../shared/contract/kinds.ts'
import type { KubernetesObject } from '../shared/kubernetes/port.ts'
import type { Facts } from '../shared/lifecycle/facts.ts'
import type { About, Observe } from './bridge-event.ts'
import { type Decision, type Delays, decide, type HoldReason, isSettled } from './decide.ts'
import { aboutOf, type Entry, standingOf } from './entry.ts'
import { createKeptObjects } from './kept-objects.ts'
import { isSelected, type Selection } from './selection.ts'

export interface EntryBookOptions {
  readonly clock: Clock
  readonly selection: Selection
  readonly delays: Delays
  readonly hold: (kind: KindName, namespace: string | undefined) => HoldReason | undefined
  readonly observe: Observe
}

/** Everything that has something open, and what was decided about it. */
export interface EntryBook {
  readonly entries: ReadonlyMap<string, Entry>
  add(entry: Entry): void
  /** Forgets the object, and what was kept of it. `how`: whether it shows that what was sent for it has arrived. */
  remove(id: string, how?: 'arrived' | 'forgotten'): void
  /** Keeps the object until it is sent, within bounds; undefined: lets go of the one that is kept. */
  keep(entry: Entry, object: KubernetesObject | undefined): void
  /** Whether the object is one that this bridge is responsible for. */
  isOurs(facts: Facts, namespace: string | undefined): boolean
  decide(
    kind: KindName,
    facts: Facts,
    namespace: string | undefined,
    known: Partial<Pick<Entry, 'sent' | 'step' | 'touchedAt'>>,
  ): Decision
  /** Notes the decision on the entry and tells the observers when it is a new one. */
  note(entry: Entry, decision: Exclude<Decision, { kind: 'nothing' }>): void
  /** Nothing is sent for it for a while. `status`: the sink's answer; 0: it cannot be sent, until it changes. */
  park(entry: Entry, about: About, status: number, why: string): void
}

export const createEntryBook = (options: EntryBookOptions): EntryBook => {
  const { clock, selection, delays, hold, observe } = options
  const entries = new Map<string, Entry>()
  const kept = createKeptObjects()

  const keep = (entry: Entry, object: KubernetesObject | undefined) => {
    if (entry.object !== undefined) kept.release(entry.object)
    entry.object = object && kept.keep(object)
  }

  const settle = (entry: Entry, how: 'arrived' | 'forgotten') => {
    entry.settled?.(how)
    entry.settled = undefined
  }

  return {
    entries,
    add: entry => {
      entries.set(entry.id, entry)
    },
    remove: (id, how = 'forgotten') => {
      const entry = entries.get(id)
      entries.delete(id)
      if (entry === undefined) return
      keep(entry, undefined)
      settle(entry, how)
    },
    keep,
    isOurs: (facts, namespace) => isSelected(selection, facts, namespace),
    decide: (kind, facts, namespace, { sent, step, touchedAt }) =>
      decide({
        kind,
        facts,
        now: clock.now(),
        sent,
        seen: step,
        touchedAt,
        hold: hold(kind, namespace),
        delays,
      }),
    note: (entry, decision) => {
      const before = entry.standing?.id === decision.id ? entry.standing : undefined
      // What waited by order, or for its shoot, is needed only from now on; a repeated event is as old as the first.
      if (!before || (decision.kind === 'send' && (before.kind === 'hold' || isSettled(before)))) {
        entry.since = clock.now()
      }
      if (isSettled(decision)) {
        entry.sent = undefined
        settle(entry, 'arrived')
      }
      const standing = standingOf(decision, before?.id ?? decision.id)
      entry.standing = standing
      if (before?.kind === standing.kind && before.why === standing.why) return
      const about = aboutOf(entry, decision)
      if (decision.kind === 'hold') observe({ type: 'held', why: decision.why, ...about })
      else if (decision.kind === 'wait')
        observe({ type: 'later', at: decision.at, why: decision.why, ...about })
      else observe({ type: 'due', initial: entry.priority === 'low', ...about })
    },
    park: (entry, about, status, why) => {
      entry.parked = why
      entry.refusals++
      keep(entry, undefined)
      observe({ type: 'parked', status, why, uid: entry.uid ?? '', ...about })
    },
  }
}
