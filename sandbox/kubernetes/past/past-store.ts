import { storeKey } from '../store/object-key.ts'
import type { Collection, Store, StoredRevision, StoreEvent } from '../store/store.ts'
import type { Past } from './past.ts'
import { covers, isWide } from './past-selection.ts'

export interface PastStoreDeps {
  readonly store: Store
  /** The present pasts of the resource that apply to the request. */
  readonly pasts: () => readonly Past[]
}

export interface WatchedStoreDeps extends PastStoreDeps {
  /** Returns true if the watch shows the present objects first, and only its later events are from the past. */
  readonly startsPresent: boolean
  /** Returns true if the event is lost. */
  readonly isSkipped: (event: StoreEvent) => boolean
  /** Watches cannot resume from versions before this one. */
  readonly expiredBefore: number
  /** Registers a function to call after a past has changed. Returns a function that unregisters it. */
  readonly onChange: (deliver: () => void) => () => void
}

/** Creates the store that a get or a list of one resource reads. */
export const pastStore = ({ store, pasts }: PastStoreDeps, resource: string): Store => {
  const collection = store.collection(resource)
  const list = (prefix = ''): readonly StoredRevision[] => {
    const applied = pasts()
    if (applied.length === 0) return collection.list(prefix)
    return [...stateOf(collection, resource, applied)]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => entry)
  }
  return {
    ...store,
    version: () => Math.min(store.version(), ...pasts().map(past => past.horizon())),
    collection: () => ({
      ...collection,
      list,
      get: key => {
        const first = pasts().flatMap(past => past.hidden(resource).find(event => event.key === key) ?? [])
        // The earliest hidden event replaced the visible state.
        return first.length === 0
          ? collection.get(key)
          : first.reduce((a, b) => (b.version < a.version ? b : a)).previous
      },
    }),
  }
}

/**
 * Creates the store that one watch of one resource reads. Its events arrive in order: a hidden one delays all later.
 */
export const watchedStore = (deps: WatchedStoreDeps, resource: string): Store => {
  const { store, pasts, startsPresent, isSkipped, expiredBefore, onChange } = deps
  const collection = store.collection(resource)
  let waiting: StoreEvent[] = []
  /** The watch started with this version, which may be newer than a past. */
  let reached = 0

  const isHidden = (event: StoreEvent): boolean =>
    pasts().some(past => covers(past.selection, resource, event.key) && event.version > past.horizon())

  const takeVisible = (): readonly StoreEvent[] => {
    const first = waiting.findIndex(isHidden)
    const visible = waiting.splice(0, first < 0 ? waiting.length : first)
    return visible.filter(event => !isSkipped(event))
  }

  return {
    ...store,
    version: () => {
      const next = waiting[0]?.version ?? store.version() + 1
      const horizons = pasts().flatMap(past => (isWide(past.selection) ? [past.horizon()] : []))
      return Math.max(reached, Math.min(next - 1, ...horizons))
    },
    collection: () => ({
      ...collection,
      list: prefix => {
        if (startsPresent) {
          reached = store.version()
          return collection.list(prefix)
        }
        const events = new Map(
          pasts().flatMap(past => past.hidden(resource).map(event => [event.version, event] as const)),
        )
        waiting = [...events.values()].sort((a, b) => a.version - b.version)
        return pastStore({ store, pasts }, resource).collection(resource).list(prefix)
      },
      eventsAfter: version => {
        const events = version < expiredBefore ? undefined : collection.eventsAfter(version)
        if (events === undefined) return undefined
        waiting = [...events]
        return takeVisible()
      },
      subscribe: listener => {
        const deliver = (): void => {
          for (const event of takeVisible()) listener(event)
        }
        const ends = [
          onChange(deliver),
          collection.subscribe(event => {
            waiting.push(event)
            deliver()
          }),
        ]
        return () => {
          for (const end of ends) end()
        }
      },
      get oldestVersion() {
        return Math.max(collection.oldestVersion, expiredBefore)
      },
    }),
  }
}

/** Returns the objects by key. Where several pasts cover one, the oldest applies. */
const stateOf = (
  collection: Collection,
  resource: string,
  pasts: readonly Past[],
): Map<string, StoredRevision> => {
  const state = new Map<string, StoredRevision>()
  for (const entry of collection.list()) {
    const { namespace, name } = entry.object.metadata
    state.set(storeKey(namespace, name), entry)
  }
  for (const past of pasts.toSorted((a, b) => b.horizon() - a.horizon())) past.undo(resource, state)
  return state
}
