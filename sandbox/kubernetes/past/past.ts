import type { Clock } from '../../../shared/clock/clock.ts'
import type { Store, StoredRevision, StoreEvent } from '../store/store.ts'
import { covers, type PastSelection } from './past-selection.ts'

/** The objects of a selection as they were at a version: the horizon. Later events are recorded and undone in reads. */
export interface Past {
  readonly selection: PastSelection
  /** The version of the last visible write. */
  horizon(): number
  /** The events of a resource after the horizon, oldest first. */
  hidden(resource: string): readonly StoreEvent[]
  /** Undoes the hidden events in a state of the resource, by key. */
  undo(resource: string, state: Map<string, StoredRevision>): void
  end(): void
}

export interface PastDeps {
  readonly store: Store
  readonly clock: Clock
  readonly selection: PastSelection
  /** The first horizon. Default: the present version. */
  readonly version?: number | undefined
  /** Each write becomes visible after this many ms. Absent: the horizon does not advance. */
  readonly lagMs?: number | undefined
  /** Called when the horizon has advanced. */
  readonly onAdvance: () => void
}

/** Starts to record the past of a selection. Throws a `RangeError` if the version is not within the event window. */
export const createPast = ({ store, clock, selection, lagMs, onAdvance, ...from }: PastDeps): Past => {
  let horizon = from.version ?? store.version()
  const hidden = new Map<string, StoreEvent[]>()
  const timers = new Set<() => void>()
  /** The last scheduled advance. Writes of the same moment share it. */
  let scheduled: { readonly at: number; version: number } | undefined

  const record = (resource: string, event: StoreEvent): void => {
    if (!covers(selection, resource, event.key)) return
    const events = hidden.get(resource)
    if (events) events.push(event)
    else hidden.set(resource, [event])
  }

  const advance = (version: number): void => {
    horizon = version
    for (const events of hidden.values()) {
      const visible = events.findIndex(event => event.version > version)
      events.splice(0, visible < 0 ? events.length : visible)
    }
    onAdvance()
  }
  const schedule = (milliseconds: number, version: number): void => {
    const at = clock.now() + milliseconds
    if (scheduled?.at === at) {
      scheduled.version = version
      return
    }
    const entry = { at, version }
    scheduled = entry
    const cancel = clock.after(milliseconds, () => {
      timers.delete(cancel)
      if (scheduled === entry) scheduled = undefined
      advance(entry.version)
    })
    timers.add(cancel)
  }

  if (horizon > store.version()) throw new RangeError(`cannot show version ${horizon}: it does not exist yet`)
  for (const resource of store.resources()) {
    if (selection.resource !== undefined && selection.resource !== resource) continue
    const collection = store.collection(resource)
    const events = collection.eventsAfter(horizon)
    if (events === undefined) {
      const oldest = collection.oldestVersion
      throw new RangeError(
        `cannot show version ${horizon} of ${resource}: events are stored since ${oldest}. Raise the option eventWindow.`,
      )
    }
    for (const event of events) record(resource, event)
  }
  if (lagMs !== undefined && horizon < store.version()) schedule(lagMs, store.version())
  const unsubscribe = store.subscribe((resource, event) => {
    record(resource, event)
    if (lagMs !== undefined) schedule(lagMs, event.version)
  })

  return {
    selection,
    horizon: () => horizon,
    hidden: resource => hidden.get(resource) ?? [],
    undo: (resource, state) => {
      for (const { key, previous } of (hidden.get(resource) ?? []).toReversed()) {
        if (previous) state.set(key, previous)
        else state.delete(key)
      }
    },
    end: () => {
      unsubscribe()
      for (const cancel of timers) cancel()
    },
  }
}
