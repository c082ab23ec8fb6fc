import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
  type WatchEvent,
  type WatchOptions,
} from '../../shared/kubernetes/kubernetes.ts'

/** The reading half of an in-memory API server, for the tests of the bridge alone. */
export interface FakeKubernetes {
  readonly port: Pick<Kubernetes, 'get' | 'list' | 'watch'>
  /**
   * Creates or replaces an object; increments `resourceVersion`, and retains the uid, and the generation unless one is
   * given.
   */
  put(resource: GroupVersionResource, object: KubernetesObject): KubernetesObject
  remove(resource: GroupVersionResource, key: ObjectKey): void
  read(resource: GroupVersionResource, key: ObjectKey): KubernetesObject | undefined
  /** Ends every open watch with the error. */
  breakWatches(error: unknown): void
  /** Drops the history: outdated watches, now or when they resume, get 410. */
  compact(): void
  /** The number of single reads so far. */
  readonly gets: number
}

interface FakeObject {
  readonly version: number
  readonly plural: string
  readonly event: WatchEvent
}

interface Watcher {
  wake(): void
  broken: unknown
}

export const fakeKubernetes = (): FakeKubernetes => {
  const stores = new Map<string, Map<string, KubernetesObject>>()
  let log: FakeObject[] = []
  let compacted = 0
  const watchers = new Set<Watcher>()
  let version = 1
  let gets = 0

  const storeOf = ({ plural }: GroupVersionResource) => {
    const store = stores.get(plural) ?? new Map<string, KubernetesObject>()
    stores.set(plural, store)
    return store
  }
  const idOf = ({ name, namespace }: ObjectKey) => `${namespace ?? ''}/${name}`
  const record = (resource: GroupVersionResource, event: WatchEvent) => {
    log.push({ version, plural: resource.plural, event })
    for (const watcher of watchers) watcher.wake()
  }

  async function* watch(
    resource: GroupVersionResource,
    options: WatchOptions = {},
  ): AsyncIterable<WatchEvent> {
    const { signal } = options
    if (options.sendInitialEvents) throw new KubernetesError(422, 'Invalid', 'sendInitialEvents is forbidden')
    let wake: () => void = () => undefined
    const watcher: Watcher = { wake: () => wake(), broken: undefined }
    watchers.add(watcher)
    signal?.addEventListener('abort', watcher.wake)
    let last = Number(options.resourceVersion ?? 0)
    try {
      for (;;) {
        signal?.throwIfAborted()
        if (watcher.broken !== undefined) throw watcher.broken
        if (last < compacted) throw expired
        const entry = log[firstAfter(log, last)]
        if (entry !== undefined) {
          last = entry.version
          const { event } = entry
          const elsewhere =
            options.namespace !== undefined &&
            event.type !== 'bookmark' &&
            event.object.metadata.namespace !== options.namespace
          if (entry.plural === resource.plural && !elsewhere) yield event
          continue
        }
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    } finally {
      watchers.delete(watcher)
    }
  }

  return {
    port: {
      get: async (resource, key) => {
        gets++
        return storeOf(resource).get(idOf(key))
      },
      list: async (resource, { namespace } = {}) => ({
        items: [...storeOf(resource).values()].filter(
          object => namespace === undefined || object.metadata.namespace === namespace,
        ),
        resourceVersion: String(version),
      }),
      watch,
    },
    put: (resource, object) => {
      const store = storeOf(resource)
      const { metadata } = object
      const before = store.get(idOf(metadata))
      version++
      const stored: KubernetesObject = {
        ...object,
        metadata: {
          ...metadata,
          uid: metadata.uid ?? before?.metadata.uid ?? `uid-${version}`,
          generation: metadata.generation ?? before?.metadata.generation ?? 1,
          resourceVersion: String(version),
        },
      }
      store.set(idOf(metadata), stored)
      record(resource, { type: before === undefined ? 'added' : 'modified', object: stored })
      return stored
    },
    remove: (resource, key) => {
      const store = storeOf(resource)
      const object = store.get(idOf(key))
      if (object === undefined) return
      version++
      store.delete(idOf(key))
      record(resource, { type: 'deleted', object })
    },
    read: (resource, key) => storeOf(resource).get(idOf(key)),
    breakWatches: error => {
      for (const watcher of watchers) {
        watcher.broken = error
        watcher.wake()
      }
    },
    compact: () => {
      log = []
      compacted = version
      for (const watcher of watchers) watcher.wake()
    },
    get gets() {
      return gets
    },
  }
}

const expired = new KubernetesError(410, 'Expired', 'too old resource version')

const firstAfter = (log: readonly FakeObject[], version: number): number => {
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((log[middle]?.version ?? 0) > version) high = middle
    else low = middle + 1
  }
  return low
}
