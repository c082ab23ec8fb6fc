import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { CloudItem, ItemKind, ItemTypes } from './items.ts'

/** A change that OpenStack makes later on its own: the next status of a resource, or its end. */
export interface DelayedChange {
  readonly at: Timestamp
  readonly kind: ItemKind
  readonly id: string
  /** It is dropped if the resource does not have these fields at that time. */
  readonly from: Readonly<Record<string, unknown>>
  /** Undefined: the resource ends. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** The resources of one region. */
export interface CloudStore {
  all<K extends ItemKind>(kind: K): readonly ItemTypes[K][]
  get<K extends ItemKind>(kind: K, id: string): ItemTypes[K] | undefined
  put<K extends ItemKind>(kind: K, item: ItemTypes[K]): void
  /** Replaces fields. A resource that does not exist stays absent. */
  patch(kind: ItemKind, id: string, fields: Readonly<Record<string, unknown>>): void
  remove(kind: ItemKind, id: string): void
  later(change: DelayedChange): void
  /** Makes the changes that are due. `end` removes a resource. */
  advance(now: Timestamp, end: (kind: ItemKind, id: string) => void): void
  /** Undoes all changes of the work if it throws. */
  transaction<T>(work: () => T): T
  snapshot(): StoreState
  restore(state: StoreState): void
}

/** The content of a store as JSON. */
export interface StoreState {
  readonly items: Readonly<Record<string, readonly CloudItem[]>>
  readonly changes: readonly DelayedChange[]
}

export const createCloudStore = (): CloudStore => {
  let tables = new Map<ItemKind, Map<string, CloudItem>>()
  let changes: readonly DelayedChange[] = []

  const tableOf = (kind: ItemKind): Map<string, CloudItem> => {
    const table = tables.get(kind) ?? new Map<string, CloudItem>()
    tables.set(kind, table)
    return table
  }
  const patch: CloudStore['patch'] = (kind, id, fields) => {
    const item = tableOf(kind).get(id)
    if (item !== undefined) tableOf(kind).set(id, { ...item, ...fields })
  }

  return {
    // `put` has checked the types.
    all: <K extends ItemKind>(kind: K) => [...tableOf(kind).values()] as unknown as ItemTypes[K][],
    get: <K extends ItemKind>(kind: K, id: string) =>
      tableOf(kind).get(id) as unknown as ItemTypes[K] | undefined,
    put: (kind, item) => void tableOf(kind).set(item.id, item),
    patch,
    remove: (kind, id) => void tableOf(kind).delete(id),
    later: change => {
      changes = [...changes, change]
    },
    advance: (now, end) => {
      const due = changes.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
      if (due.length === 0) return
      changes = changes.filter(({ at }) => at > now)
      for (const { kind, id, from, fields } of due) {
        const item = tableOf(kind).get(id)
        if (item === undefined || Object.entries(from).some(([name, value]) => item[name] !== value)) continue
        if (fields === undefined) end(kind, id)
        else patch(kind, id, fields)
      }
    },
    transaction: work => {
      const before = { changes, tables: new Map([...tables].map(([kind, table]) => [kind, new Map(table)])) }
      try {
        return work()
      } catch (error) {
        changes = before.changes
        tables = before.tables
        throw error
      }
    },
    snapshot: () => ({
      items: Object.fromEntries([...tables].map(([kind, table]) => [kind, [...table.values()]])),
      changes,
    }),
    restore: state => {
      changes = state.changes
      tables = new Map(
        Object.entries(state.items).map(([kind, items]) => [
          kind as ItemKind,
          new Map(items.map(item => [item.id, item])),
        ]),
      )
    },
  }
}
