import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import { chosen } from './chosen.ts'
import type { CloudItem, ItemKind } from './items.ts'
import type { CloudStore } from './store.ts'

/** The time until reads show a change. Each change of a resource has its own; a resource never returns to its past. */
export interface ReadLag {
  readonly seed: string | number
  /** The longest time, in ms. */
  readonly most: number
}

interface PastItem {
  /** When reads show the change, in ms since the epoch. */
  readonly shownAt: Timestamp
  /** Before the change. Undefined: it did not exist. */
  readonly item: CloudItem | undefined
}

/**
 * Wraps a store, so that its past can be read: several database servers that copy each other, or Swift's copies, may
 * answer from it.
 */
export const createLateStore = (
  store: CloudStore,
  { seed, most }: ReadLag,
  now: () => Timestamp,
): { readonly store: CloudStore; readonly late: CloudStore } => {
  const pasts = new Map<ItemKind, Map<string, readonly PastItem[]>>()
  let changes = 0

  const remember = (kind: ItemKind, id: string): void => {
    const ofKind = pasts.get(kind) ?? new Map<string, readonly PastItem[]>()
    pasts.set(kind, ofKind)
    const time = now()
    const before = (ofKind.get(id) ?? []).filter(({ shownAt }) => shownAt > time)
    const lagMs = Math.floor(chosen(seed, 'lag', changes++) * (most + 1))
    const shownAt = Math.max(time + lagMs, before.at(-1)?.shownAt ?? 0)
    ofKind.set(id, [...before, { shownAt, item: store.get(kind, id) }])
  }
  const shown = (kind: ItemKind, id: string): CloudItem | undefined => {
    const past = pasts
      .get(kind)
      ?.get(id)
      ?.find(({ shownAt }) => shownAt > now())
    return past === undefined ? store.get(kind, id) : past.item
  }
  const written: CloudStore = {
    ...store,
    put: (kind, item) => {
      remember(kind, item.id)
      store.put(kind, item)
    },
    patch: (kind, id, fields) => {
      remember(kind, id)
      store.patch(kind, id, fields)
    },
    remove: (kind, id) => {
      remember(kind, id)
      store.remove(kind, id)
    },
    restore: state => {
      pasts.clear()
      store.restore(state)
    },
  }
  return {
    store: written,
    late: {
      ...written,
      // An item of a kind stays one of it.
      get: (kind, id) => shown(kind, id) as never,
      all: kind => {
        const ids = new Set([...store.all(kind).map(({ id }) => id), ...(pasts.get(kind)?.keys() ?? [])])
        return [...ids].flatMap(id => shown(kind, id) ?? []) as never
      },
    },
  }
}
