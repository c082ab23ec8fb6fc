import {
  ConnectionError,
  type GroupVersionResource,
  hasStatus,
  type Kubernetes,
  type KubernetesObject,
  type ListOptions,
} from '../../../shared/kubernetes/kubernetes.ts'
import { listPages } from '../../../shared/kubernetes/list-all.ts'
import { messageOf } from '../../../shared/text/message-of.ts'

/** A list of objects of one kind. */
export interface KindRead {
  readonly kind: string
  /** In the plural, for messages: `BackupEntries`. */
  readonly title: string
  readonly resource: GroupVersionResource
  readonly namespace?: string
  readonly fieldSelector?: string
  readonly labelSelector?: string
  /** Reduces each object while it is read, so that large ones are never in memory together. */
  readonly reduce?: (object: KubernetesObject) => KubernetesObject
}

export interface ReadKind {
  readonly title: string
  readonly objects: readonly KubernetesObject[]
  /** `DNSRecords: you may not list them`. */
  readonly missing?: string
  /** `absent`: the API server reports no such kind. `unread`: there may be more objects. Default: all were read. */
  readonly lack?: 'absent' | 'unread'
}

const pageSize = 500
/** The most objects of one list: a large seed has a few thousand of a kind. */
const mostObjects = 20_000

/**
 * Lists the objects of a kind. A refused or failed list is no error: the result says what is missing. Throws if the API
 * server cannot be reached or refuses the credentials, because then nothing can be read.
 */
export const readKind = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  { kind, title, resource, namespace, fieldSelector, labelSelector, reduce = object => object }: KindRead,
  signal: AbortSignal,
): Promise<ReadKind> => {
  const objects: KubernetesObject[] = []
  const query: ListOptions = {
    limit: pageSize,
    signal,
    ...(namespace !== undefined && { namespace }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(labelSelector !== undefined && { labelSelector }),
  }
  // Lists of the API server have no kind in their items.
  const add = (object: KubernetesObject) => objects.push(reduce({ ...object, kind }))
  const unread = (why: string): ReadKind => ({ title, objects, missing: `${title}: ${why}`, lack: 'unread' })
  try {
    for await (const { items, continue: more } of listPages(kubernetes, resource, query)) {
      for (const object of items) add(object)
      if (more && objects.length >= mostObjects)
        return unread(`there are more than ${mostObjects}; the rest is not shown`)
    }
    return { title, objects }
  } catch (error) {
    if (hasStatus(error, 404))
      return { title, objects, missing: `${title}: the API server has no such kind`, lack: 'absent' }
    if (hasStatus(error, 403)) return unread('you may not list them')
    if (error instanceof ConnectionError || signal.aborted || hasStatus(error, 401)) throw error
    return unread(messageOf(error))
  }
}

/**
 * Returns the titles of the kinds that may have objects which were not read. A kind that the API server does not know
 * has none, if it knows others; a server that knows none of them is another cluster, or is still starting.
 */
export const unreadOf = (reads: readonly ReadKind[]): readonly string[] => {
  const knowsOthers = reads.some(({ lack }) => lack === undefined)
  return reads.flatMap(({ title, lack }) =>
    lack === 'unread' || (lack === 'absent' && !knowsOthers) ? [title] : [],
  )
}
