import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { Resource } from './rows/resource.ts'

/** What a row can be found by: a filter's name, and the row's values for it. */
export type Indexes<Row> = Readonly<Record<string, (row: Row) => readonly string[]>>

/** The rows of one kind of resource. Rows stay in order of creation. */
export interface Table<Row extends Resource> {
  readonly size: number
  get(id: string): Row | undefined
  all(): readonly Row[]
  /** Whether `by` knows this filter; those by tag always are known. */
  isIndexed(filter: string): boolean
  /** The rows that have a value of an indexed filter (`vpc-id`, `tag:Name`, `tag-key`). */
  by(filter: string, value: string): readonly Row[]
  /** Adds a row, or replaces the one with the same id. */
  put(row: Row): void
  remove(id: string): void
  /** Drops the rows that are gone by now. */
  sweep(now: Timestamp): void
}

const termsOf = <Row extends Resource>(row: Row, indexes: Indexes<Row>): readonly string[] => [
  ...row.tags.flatMap(tag => [`tag:${tag.Key}\0${tag.Value}`, `tag-key\0${tag.Key}`]),
  ...Object.entries(indexes).flatMap(([name, values]) => values(row).map(value => `${name}\0${value}`)),
]

/**
 * Wraps a record of rows, which it keeps up to date. The indexes live beside the data, not in it: they are
 * made anew for a state that was restored.
 */
export const createTable = <Row extends Resource>(
  rows: Record<string, Row>,
  indexes: Indexes<Row>,
): Table<Row> => {
  const ids = new Map<string, Set<string>>()
  const going = new Map<string, Timestamp>()
  let soonest = Number.POSITIVE_INFINITY
  let ordered: readonly Row[] | undefined

  let size = 0

  const unlist = (row: Row): void => {
    for (const term of termsOf(row, indexes)) {
      const found = ids.get(term)
      found?.delete(row.id)
      if (found?.size === 0) ids.delete(term)
    }
    going.delete(row.id)
    size -= 1
  }

  const list = (row: Row): void => {
    for (const term of termsOf(row, indexes)) {
      const found = ids.get(term)
      if (found) found.add(row.id)
      else ids.set(term, new Set([row.id]))
    }
    if (row.goneAt !== undefined) {
      going.set(row.id, row.goneAt)
      soonest = Math.min(soonest, row.goneAt)
    }
    size += 1
  }

  const get = (id: string): Row | undefined => (Object.hasOwn(rows, id) ? rows[id] : undefined)

  const remove = (id: string): void => {
    const row = get(id)
    if (!row) return
    unlist(row)
    delete rows[id]
    ordered = undefined
  }

  for (const row of Object.values(rows)) list(row)

  return {
    get size() {
      return size
    },
    get,
    all: () => {
      ordered ??= Object.values(rows)
      return ordered
    },
    isIndexed: filter => filter.startsWith('tag:') || filter === 'tag-key' || Object.hasOwn(indexes, filter),
    by: (filter, value) =>
      [...(ids.get(`${filter}\0${value}`) ?? [])]
        .flatMap(id => get(id) ?? [])
        .sort((a, b) => a.sequence - b.sequence),
    put: row => {
      const known = get(row.id)
      if (known) unlist(known)
      rows[row.id] = row
      list(row)
      ordered = undefined
    },
    remove,
    sweep: now => {
      if (now < soonest) return
      for (const [id, at] of [...going]) if (at <= now) remove(id)
      soonest = Math.min(Number.POSITIVE_INFINITY, ...going.values())
    },
  }
}
