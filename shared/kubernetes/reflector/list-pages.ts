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
  /** Most objects in one page. */
  readonly pageSize: number
  /** Whose turn it is to read a page, where lists of several resources share the memory. */
  readonly queue?: ListQueue | undefined
  /** Called before and after each request. */
  readonly active: () => void
}

/** Lists a resource again and again, in pages of a size that it learns. */
export interface ListPages {
  /** Gives `each` object as it comes. Resolves with the version of the list. `unpaged`: as a single page. */
  read(
    options: Omit<ListOptions, 'each' | 'limit' | 'continue'> & {
      readonly signal: AbortSignal
      readonly unpaged: boolean
    },
    each: (object: KubernetesObject) => void,
  ): Promise<string>
}

/** Objects of the first page: how large they are is not known yet; 1.5 MB each is what etcd takes. */
const firstPage = 20
/** Bytes that a page is to have: the server holds it as a whole, and we an object of it at a time. */
const pageBytes = 4 * 1024 * 1024

export const createListPages = (options: ListPagesOptions): ListPages => {
  const { kubernetes, resource, pageSize, queue, active } = options
  let limit = Math.min(firstPage, pageSize)

  const read: ListPages['read'] = async ({ unpaged, ...query }, each) => {
    let token: string | undefined
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
        // A page that does not come to its end may be too large for its way.
        if (error instanceof ConnectionError) limit = Math.max(Math.floor(limit / 2), 1)
        throw error
      })
      query.signal.throwIfAborted()
      active()
      for (const object of page.items) count(object)
      const fitting = page.bytes === undefined ? pageSize : Math.floor((pageBytes * objects) / page.bytes)
      if (objects > 0 && !unpaged) limit = Math.min(Math.max(fitting, 1), pageSize)
      token = page.continue
      if (token === undefined || token === '') return page.resourceVersion
    }
  }
  return { read }
}
