import type { Timestamp } from '../../../../../../../shared/clock/clock.ts'
import type { Ec2Resource } from '../../rows/resource.ts'
import { createIdIndex } from './id-index.ts'

/** The indexed filters of a table: the filter's name, and a row's values for it. */
export type Indexes<Row> = Readonly<Record<string, (row: Row) => readonly string[]>>

/** The rows of one kind of resource. Rows stay in order of creation. */
export interface Table<Row extends Ec2Resource> {
  readonly size: number
  get(id: string): Row | undefined
  all(): readonly Row[]
  /** Returns true if `by` supports this filter. It always supports filters by tag. */
  isIndexed(filter: string): boolean
  /** Returns the rows with a value of an indexed filter (`vpc-id`, `tag:Name`, `tag-key`). */
  by(filter: string, value: string): readonly Row[]
  /** Adds a row, or replaces the one with the same id. */
  put(row: Row): void
  remove(id: string): void
  /** Removes the rows that have ended by now. */
  sweep(now: Timestamp): void
  /** Commits the changes since the last commit. Lists may show the rows before them until the given time. */
  commit(seen?: { readonly at: Timestamp; readonly until: Timestamp }): void
  /**
   * The rows that lists show in place of rows that were just changed or removed.
   *
   * @param delay the time in ms until the call sees a change of a row
   */
  outdated(now: Timestamp, delay: (id: string, at: Timestamp) => number): ReadonlyMap<string, Row>
  /** Undoes the changes since the last `commit`. */
  rollback(): void
}

/** A row before its change or removal. */
interface PastRows<Row> {
  readonly id: string
  readonly row: Row
  readonly at: Timestamp
  readonly until: Timestamp
}

/** A filter's name and a value of the row for it. */
type Term = readonly [filter: string, value: string]

const termsOf = <Row extends Ec2Resource>(row: Row, indexes: Indexes<Row>): readonly Term[] => [
  ...row.tags.map(({ Key, Value }): Term => [`tag:${Key}`, Value]),
  ...Object.entries(indexes).flatMap(([name, values]) => values(row).map((value): Term => [name, value])),
]

const bySequence = (a: Ec2Resource, b: Ec2Resource): number => a.sequence - b.sequence

/**
 * Wraps a record of rows and updates it. The indexes are separate from the data and are rebuilt for a restored state.
 */
export const createTable = <Row extends Ec2Resource>(
  rows: Record<string, Row>,
  indexes: Indexes<Row>,
): Table<Row> => {
  const index = createIdIndex()
  const going = new Map<string, Timestamp>()
  let soonest = Number.POSITIVE_INFINITY
  let ordered: readonly Row[] | undefined
  const before = new Map<string, Row | undefined>()
  let past: readonly PastRows<Row>[] = []
  let size = 0

  const remember = (id: string, row: Row | undefined): void => {
    if (!before.has(id)) before.set(id, row)
  }

  const unlist = (row: Row): void => {
    for (const [filter, value] of termsOf(row, indexes)) index.remove(filter, value, row.id)
    going.delete(row.id)
    size -= 1
  }

  const list = (row: Row): void => {
    for (const [filter, value] of termsOf(row, indexes)) index.add(filter, value, row.id)
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
    remember(id, row)
    unlist(row)
    delete rows[id]
    ordered = undefined
  }

  const put = (row: Row): void => {
    const known = get(row.id)
    remember(row.id, known)
    if (known) unlist(known)
    rows[row.id] = row
    list(row)
    ordered = undefined
  }

  for (const row of Object.values(rows)) list(row)

  return {
    get size() {
      return size
    },
    get,
    all: () => {
      ordered ??= Object.values(rows).sort(bySequence)
      return ordered
    },
    isIndexed: filter => filter.startsWith('tag:') || filter === 'tag-key' || Object.hasOwn(indexes, filter),
    by: (filter, value) =>
      index
        .ids(filter, value)
        .flatMap(id => get(id) ?? [])
        .sort(bySequence),
    put,
    remove,
    sweep: now => {
      if (now < soonest) return
      for (const [id, at] of [...going]) if (at <= now) remove(id)
      soonest = Math.min(Number.POSITIVE_INFINITY, ...going.values())
    },
    commit: seen => {
      if (seen !== undefined) {
        for (const [id, row] of before) if (row) past = [...past, { id, row, ...seen }]
      }
      // Every call commits every table, and clearing an empty map costs as much as clearing a full one.
      if (before.size > 0) before.clear()
    },
    outdated: (now, delay) => {
      if (past.length > 0) past = past.filter(({ until }) => now < until)
      const unseen = past.filter(({ id, at }) => now < at + delay(id, at))
      // If a row changed several times, the first change becomes visible first.
      return new Map(unseen.toReversed().map(({ id, row }) => [id, row]))
    },
    rollback: () => {
      for (const [id, row] of [...before]) {
        if (row) put(row)
        else remove(id)
      }
      before.clear()
    },
  }
}
