import { ConnectionError, type KubernetesObject, type ListPage } from '../port.ts'
import { createItemSplitter } from './item-splitter.ts'

/** An object in a list. Items of built-in resources lack the fields that the list has. */
type ListItem = Omit<KubernetesObject, 'apiVersion' | 'kind'>

export interface WireList {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly ListItem[] | null
}

/** Parses the JSON of a response. */
export const parseAnswer = <T>(json: string): T => {
  try {
    return JSON.parse(json) as T
  } catch (cause) {
    throw new ConnectionError('the API server sent an incomplete answer', { cause, sent: true })
  }
}

/** Items of built-in resources lack apiVersion and kind, which the list defines. */
export const pageOf = (list: WireList): ListPage => {
  const { resourceVersion, continue: token, remainingItemCount } = list.metadata
  return {
    items: (list.items ?? []).map(item => itemOf(list, item)),
    resourceVersion,
    ...(token ? { continue: token } : {}),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  }
}

const itemOf = ({ apiVersion, kind }: WireList, item: ListItem): KubernetesObject =>
  ({ apiVersion, kind: kind.replace(/List$/, ''), ...item }) as KubernetesObject

/** Reads a page while it arrives. `page` returns the rest at its end, without the objects that `each` got. */
export const createPageReader = (
  each: (object: KubernetesObject) => void,
): { push(chunk: Uint8Array): void; page(): ListPage } => {
  /** Objects without a kind. The list may define it at its end. */
  const unnamed: ListItem[] = []
  let bytes = 0
  const splitter = createItemSplitter(json => {
    const item = parseAnswer<ListItem>(json)
    if ('apiVersion' in item && 'kind' in item) each(item as KubernetesObject)
    else unnamed.push(item)
  })
  return {
    push: chunk => {
      bytes += chunk.length
      splitter.push(chunk)
    },
    page: () => {
      const list = parseAnswer<WireList>(splitter.rest())
      return { ...pageOf({ ...list, items: [...unnamed, ...(list.items ?? [])] }), bytes }
    },
  }
}
