import type { ApiContext } from '../requests/api-context.ts'
import { expired, statusOf } from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf, resourceName } from '../resources/resource-definition.ts'
import { namespacePrefix } from '../store/object-key.ts'
import { createRevision, type StoredRevision, type StoreEvent } from '../store/store.ts'
import { createLineQueue, type LineQueue } from './line-queue.ts'
import type { Representation } from './representation.ts'
import type { Predicate } from './selectors.ts'

export interface WatchRequest {
  readonly namespace: string | undefined
  readonly matches: Predicate
  /** Undefined or 0: the present objects first, then changes. */
  readonly resourceVersion: number | undefined
  readonly sendInitialEvents: boolean
  readonly bookmarks: boolean
  readonly timeoutSeconds: number
}

/** Time between the bookmarks of a watch, in ms. kube-apiserver sends them about once a minute. */
const bookmarkInterval = 60_000

const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' }

/**
 * Starts a watch. Events between this call and the first read are not lost. `track` receives the watch and returns a
 * function to call at its end.
 */
export const watchObjects = (
  context: ApiContext,
  served: ServedResource,
  request: WatchRequest,
  representation: Representation,
  track: (watch: LineQueue) => () => void,
): LineQueue => {
  const { type, version } = served
  const collection = context.store.collection(resourceName(type))
  const prefix = namespacePrefix(request.namespace)
  const cancels: (() => void)[] = []
  let first = true
  const queue = createLineQueue(() => {
    for (const cancel of cancels.splice(0)) cancel()
  })

  const send = (change: string, entry: StoredRevision): void => {
    queue.push(`{"type":"${change}","object":${representation.watched(entry, first)}}\n`)
    first = false
  }

  const startsNow = request.resourceVersion === undefined || request.resourceVersion === 0
  /**
   * Newer than the server's own version after a restore of etcd. kube-apiserver then stays silent until it is reached.
   */
  const since = startsNow || request.sendInitialEvents ? 0 : (request.resourceVersion ?? 0)

  const bookmark = (annotations?: Readonly<Record<string, string>>): void => {
    if (context.store.version() < since) return
    const object = {
      kind: type.kind,
      apiVersion: apiVersionOf(type.group, version.name),
      metadata: {
        resourceVersion: String(context.store.version()),
        creationTimestamp: null,
        ...(annotations && { annotations }),
      },
    }
    queue.push(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}\n`)
  }

  /** For this watch, an object that begins to match is added, and one that no longer matches is deleted. */
  const handle = (event: StoreEvent): void => {
    if (!event.key.startsWith(prefix)) return
    const before = event.previous !== undefined && request.matches(event.previous.object)
    if (event.type === 'DELETED') {
      if (before) send('DELETED', event.entry)
      return
    }
    const now = request.matches(event.entry.object)
    if (now) send(before ? 'MODIFIED' : 'ADDED', event.entry)
    else if (before && event.previous) send('DELETED', atVersion(event.previous, event.version))
  }

  const changed = (event: StoreEvent): void => {
    if (event.version > since) handle(event)
  }

  if (startsNow || request.sendInitialEvents) {
    for (const entry of collection.list(prefix)) if (request.matches(entry.object)) send('ADDED', entry)
    if (request.sendInitialEvents && request.bookmarks) bookmark(initialEventsEnd)
  } else {
    const missed = collection.eventsAfter(since)
    if (missed === undefined) {
      const status = statusOf(
        expired(`too old resource version: ${since} (${collection.oldestVersion})`).failure,
      )
      queue.push(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`)
      queue.close()
      return queue
    }
    for (const event of missed) handle(event)
  }

  cancels.push(track(queue), collection.subscribe(changed))
  if (request.bookmarks) {
    let cancelNext = () => {}
    const schedule = (): void => {
      cancelNext = context.clock.after(bookmarkInterval, () => {
        bookmark()
        schedule()
      })
    }
    schedule()
    cancels.push(() => cancelNext())
  }
  const finish = (): void => {
    if (request.bookmarks) bookmark()
    queue.close()
  }
  cancels.push(context.clock.after(request.timeoutSeconds * 1_000, finish))
  return queue
}

const atVersion = ({ object }: StoredRevision, version: number): StoredRevision =>
  createRevision({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }, version)
