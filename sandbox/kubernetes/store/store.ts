import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** An object as it stood after one write. Never changed: the next write makes another. */
export interface StoredRevision {
  readonly object: KubernetesObject
  /** The number behind `metadata.resourceVersion`. */
  readonly version: number
  /** The object as JSON, written once for all readers. */
  readonly json: () => string
}

/** One write. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly key: string
  /** The object after the write; of a deletion its last state, with the version of the deletion. */
  readonly entry: StoredRevision
  /** The state before the write. */
  readonly previous: StoredRevision | undefined
}

/** All objects of one resource, by key: `<namespace>/<name>` or `<name>`. */
export interface Collection {
  get(key: string): StoredRevision | undefined
  /** Sorted by key. With a prefix (`<namespace>/`) only those. */
  list(prefix?: string): readonly StoredRevision[]
  /** The list as it stood at a version, or undefined when the events since have been forgotten. */
  listAt(version: number, prefix?: string): readonly StoredRevision[] | undefined
  readonly size: number
  /** Events after the version, oldest first, or undefined when some of them have been forgotten. */
  eventsAfter(version: number): readonly StoreEvent[] | undefined
  /** Calls back at each event, within the write. Returns the end of it. */
  subscribe(listener: (event: StoreEvent) => void): () => void
  put(key: string, object: KubernetesObject): StoredRevision
  /** `last`: its final state, when the removal changes it too. */
  remove(key: string, last?: KubernetesObject): StoredRevision | undefined
  /** Forgets every event, so that earlier versions are too old to watch or list from. */
  compact(): void
  /** The oldest version that can still be watched from. */
  readonly oldestVersion: number
}

export interface Store {
  /** The version of the latest write; the versions of all resources come from one sequence, as in etcd. */
  version(): number
  collection(resource: string): Collection
  /** Resources with a collection, in order of first use. */
  resources(): readonly string[]
  subscribe(listener: (resource: string, event: StoreEvent) => void): () => void
}

export interface StoreOptions {
  /** Events of one resource that are kept for watches to resume from. */
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

/** An empty store. Writes are synchronous: a reader sees all of one or nothing. */
export const createStore = ({ eventWindow }: StoreOptions): Store => {
  let version = 1
  const collections = new Map<string, Collection>()
  const listeners = new Set<(resource: string, event: StoreEvent) => void>()

  const make = (resource: string): Collection =>
    createCollection({
      eventWindow,
      next: () => ++version,
      current: () => version,
      announce: event => {
        for (const listener of [...listeners]) listener(resource, event)
      },
    })

  return {
    version: () => version,
    collection: resource => {
      const known = collections.get(resource)
      if (known) return known
      const made = make(resource)
      collections.set(resource, made)
      return made
    },
    resources: () => [...collections.keys()],
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface CollectionDeps {
  readonly eventWindow: number
  readonly next: () => number
  readonly current: () => number
  readonly announce: (event: StoreEvent) => void
}

const createCollection = (deps: CollectionDeps): Collection => {
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
    compact: () => {
      events = []
      oldestVersion = deps.current()
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
