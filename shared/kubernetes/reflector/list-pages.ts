import {
  ConnectionError,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  type ListOptions,
} from '../port.ts'
import type { ListQueue } from './list-queue.ts'

export interface ListPagesOptions {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly resource: GroupVersionResource
  /** Maximum objects per page. */
  readonly pageSize: number
  /** Queue of lists of several resources that share the memory. */
  readonly queue?: ListQueue | undefined
  /** Called before and after each request. */
  readonly active: () => void
}

/** Passes each object to `each` when it arrives. Resolves with the version of the list. `unpaged`: reads one page. */
type ReadPages = (
  options: Omit<ListOptions, 'each' | 'limit' | 'continue'> & {
    readonly signal: AbortSignal
    readonly unpaged: boolean
  },
  each: (object: KubernetesObject) => void,
) => Promise<string>

/** Objects of the first page, because their size is not known yet; etcd accepts up to 1.5 MB each. */
const firstPage = 20
/** A server may return a page without objects, for example for a selector, but not forever. */
const mostEmptyPages = 1_000
/** Target size of a page in bytes: the server holds the whole page in memory, the reflector one object at a time. */
const pageBytes = 4 * 1024 * 1024

/** Returns a function that lists a resource in pages with a learned size. */
export const createListPages = (options: ListPagesOptions): ReadPages => {
  const { kubernetes, resource, pageSize, queue, active } = options
  let limit = Math.min(firstPage, pageSize)

  return async ({ unpaged, ...query }, each) => {
    let token: string | undefined
    let emptyPages = 0
    for (;;) {
      let objects = 0
      const count = (object: KubernetesObject) => {
        objects++
        each(object)
      }
      const request = () => {
        active()
        return kubernetes.list(resource, {
          ...query,
          each: count,
          ...(unpaged ? {} : { limit }),
          ...(token === undefined ? {} : { continue: token }),
        })
      }
      const page = await (queue ? queue.take(query.signal, request) : request()).catch(error => {
        // An incomplete page may be too large for the connection.
        if (error instanceof ConnectionError) limit = Math.max(Math.floor(limit / 2), 1)
        throw error
      })
      query.signal.throwIfAborted()
      active()
      for (const object of page.items) count(object)
      const fitting = page.bytes === undefined ? pageSize : Math.floor((pageBytes * objects) / page.bytes)
      if (objects > 0 && !unpaged) limit = Math.min(Math.max(fitting, 1), pageSize)
      token = page.continue
      emptyPages = objects === 0 ? emptyPages + 1 : 0
      if (emptyPages > mostEmptyPages)
        throw new Error(`the server sent ${mostEmptyPages} pages of ${resource.plural} without an object`)
      if (token === undefined || token === '') return page.resourceVersion
    }
  }
}
