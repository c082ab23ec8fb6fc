import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** An object after one write. Immutable: the next write creates another one. */
export interface StoredRevision {
  readonly object: KubernetesObject
  /** The number in `metadata.resourceVersion`. */
  readonly version: number
  /** The object as JSON, serialized once for all readers. */
  readonly json: () => string
}

/** One write. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly key: string
  /** The object after the write. For a deletion its last state, with the version of the deletion. */
  readonly entry: StoredRevision
  readonly previous: StoredRevision | undefined
}

/** All objects of one resource, by key: `<namespace>/<name>` or `<name>`. */
export interface Collection {
  get(key: string): StoredRevision | undefined
  /** Sorted by key. With a prefix (`<namespace>/`) only matching keys. */
  list(prefix?: string): readonly StoredRevision[]
  /** Returns the list at a version, or undefined if the events since then were discarded. */
  listAt(version: number, prefix?: string): readonly StoredRevision[] | undefined
  readonly size: number
  /** Returns events after the version, oldest first, or undefined if some were discarded. */
  eventsAfter(version: number): readonly StoreEvent[] | undefined
  /** Calls the listener at each event, within the write. Returns a function that unsubscribes. */
  subscribe(listener: (event: StoreEvent) => void): () => void
  put(key: string, object: KubernetesObject): StoredRevision
  /** `last`: the final state, if the removal also changes it. */
  remove(key: string, last?: KubernetesObject): StoredRevision | undefined
  /** Discards every event, so that no one can watch or list from earlier versions. */
  compact(): void
  /** The oldest version from which a watch can start. */
  readonly oldestVersion: number
}

/** All objects of a store at one version, as a snapshot of etcd contains them. */
export interface EtcdBackup {
  readonly version: number
  /** By resource. */
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, StoredRevision>>
}

export interface Store {
  /** Returns the version of the latest write. All resources share one sequence, as in etcd. */
  version(): number
  collection(resource: string): Collection
  /** Resources with a collection, in order of first use. */
  resources(): readonly string[]
  subscribe(listener: (resource: string, event: StoreEvent) => void): () => void
  backUp(): EtcdBackup
  /**
   * Returns all objects to a backup and continues at `version`. All events are discarded, so no watch or list can start
   * from an earlier version. Each difference is an event for `subscribe` of the store, but for no watch.
   */
  restore(backup: EtcdBackup, version: number): void
}

export interface StoreOptions {
  /** Number of events per resource that are stored for watches to resume from. */
  readonly eventWindow: number
}

export const createRevision = (object: KubernetesObject, version: number): StoredRevision => {
  let json: string | undefined
  return {
    object,
    version,
    json: () => {
      json ??= JSON.stringify(object)
      return json
    },
  }
}

/** Creates an empty store. Writes are synchronous: a reader sees a whole write or nothing of it. */
export const createStore = ({ eventWindow }: StoreOptions): Store => {
  let version = 1
  const collections = new Map<string, RestorableCollection>()
  const listeners = new Set<(resource: string, event: StoreEvent) => void>()

  const announce = (resource: string, event: StoreEvent): void => {
    for (const listener of [...listeners]) listener(resource, event)
  }
  const make = (resource: string): RestorableCollection =>
    createCollection({
      eventWindow,
      next: () => ++version,
      current: () => version,
      announce: event => announce(resource, event),
    })
  const collection = (resource: string): RestorableCollection => {
    const known = collections.get(resource)
    if (known) return known
    const made = make(resource)
    collections.set(resource, made)
    return made
  }

  return {
    version: () => version,
    collection,
    resources: () => [...collections.keys()],
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    backUp: () => ({
      version,
      objects: new Map([...collections].map(([resource, { all }]) => [resource, all()])),
    }),
    restore: (backup, at) => {
      version = at
      const resources = new Set([...collections.keys(), ...backup.objects.keys()])
      const changes = [...resources].map(
        resource =>
          [resource, collection(resource).restore(backup.objects.get(resource) ?? new Map())] as const,
      )
      for (const [resource, events] of changes) for (const event of events) announce(resource, event)
    },
  }
}

interface RestorableCollection extends Collection {
  all(): ReadonlyMap<string, StoredRevision>
  /** Replaces all objects, and returns the differences. */
  restore(objects: ReadonlyMap<string, StoredRevision>): readonly StoreEvent[]
}

interface CollectionDeps {
  readonly eventWindow: number
  readonly next: () => number
  readonly current: () => number
  readonly announce: (event: StoreEvent) => void
}

const createCollection = (deps: CollectionDeps): RestorableCollection => {
  const entries = new Map<string, StoredRevision>()
  const listeners = new Set<(event: StoreEvent) => void>()
  let events: StoreEvent[] = []
  let oldestVersion = deps.current()
  let sorted: readonly string[] | undefined

  const publish = (event: StoreEvent): void => {
    events.push(event)
    if (events.length > deps.eventWindow * 2) {
      const dropped = events.splice(0, events.length - deps.eventWindow)
      oldestVersion = dropped.at(-1)?.version ?? oldestVersion
    }
    for (const listener of [...listeners]) listener(event)
    deps.announce(event)
  }

  const keys = (): readonly string[] => {
    sorted ??= [...entries.keys()].sort()
    return sorted
  }

  const list = (prefix = ''): readonly StoredRevision[] => {
    const found: StoredRevision[] = []
    for (const key of keys()) {
      if (!key.startsWith(prefix)) continue
      const entry = entries.get(key)
      if (entry) found.push(entry)
    }
    return found
  }

  const eventsAfter = (version: number): readonly StoreEvent[] | undefined => {
    if (version < oldestVersion) return undefined
    let first = events.length
    while (first > 0 && (events[first - 1]?.version ?? 0) > version) first--
    return events.slice(first)
  }

  const compact = (): void => {
    events = []
    oldestVersion = deps.current()
  }

  return {
    get: key => entries.get(key),
    list,
    listAt: (version, prefix = '') => {
      const since = eventsAfter(version)
      if (!since) return undefined
      const state = new Map(entries)
      for (const event of since.toReversed()) {
        if (event.previous) state.set(event.key, event.previous)
        else state.delete(event.key)
      }
      return [...state]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, entry]) => entry)
    },
    get size() {
      return entries.size
    },
    eventsAfter,
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    put: (key, object) => {
      const previous = entries.get(key)
      const version = deps.next()
      const entry = createRevision(withVersion(object, version), version)
      entries.set(key, entry)
      if (!previous) sorted = undefined
      publish({ type: previous ? 'MODIFIED' : 'ADDED', version, key, entry, previous })
      return entry
    },
    remove: (key, last) => {
      const previous = entries.get(key)
      if (!previous) return undefined
      const version = deps.next()
      const entry = createRevision(withVersion(last ?? previous.object, version), version)
      entries.delete(key)
      sorted = undefined
      publish({ type: 'DELETED', version, key, entry, previous })
      return entry
    },
    compact,
    all: () => new Map(entries),
    restore: objects => {
      const before = new Map(entries)
      entries.clear()
      for (const [key, entry] of objects) entries.set(key, entry)
      sorted = undefined
      compact()
      const differences: StoreEvent[] = []
      for (const [key, entry] of entries) {
        const previous = before.get(key)
        const type = previous ? 'MODIFIED' : 'ADDED'
        if (entry !== previous) differences.push({ type, version: entry.version, key, entry, previous })
      }
      for (const [key, entry] of before) {
        const version = deps.current()
        if (!entries.has(key)) differences.push({ type: 'DELETED', version, key, entry, previous: entry })
      }
      return differences
    },
    get oldestVersion() {
      return oldestVersion
    },
  }
}

const withVersion = (object: KubernetesObject, version: number): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(version) },
})
