import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { Endpoint } from './endpoints.ts'

/** The rows of a service's state that calls may see late, by member of the state: arrays or records of rows. */
export type LateRows = Readonly<Record<string, LateRow>>

export interface LateRow {
  /** The member that identifies a row. */
  readonly id: string
  /** Members that are never late, with the values that a deleted row has. */
  readonly current?: Readonly<Record<string, unknown>>
}

type Row = Readonly<Record<string, unknown>>

/** A row as JSON, with its key in a record or array. */
interface Form {
  readonly rows: string
  readonly key: string
  readonly id: string
  readonly text: string
}

/** A write to a row. `before` is undefined for a new row. */
interface Write {
  readonly form: Form
  readonly before: string | undefined
  readonly at: Timestamp
}

export type Forms = ReadonlyMap<string, Form>

const nameOf = ({ rows, id }: Pick<Form, 'rows' | 'id'>): string => `${rows} ${id}`

const entriesOf = (state: object, rows: string): readonly (readonly [string, Row])[] =>
  Object.entries((state as Record<string, Record<string, Row>>)[rows] ?? {})

/** Returns all rows as they are now. */
export const formsOf = (late: LateRows, state: object): Forms =>
  new Map(
    Object.entries(late).flatMap(([rows, { id: member, current = {} }]) =>
      entriesOf(state, rows).map(([key, row]) => {
        const shown = Object.entries(row).filter(([name]) => !Object.hasOwn(current, name))
        const form = { rows, key, id: String(row[member]), text: JSON.stringify(Object.fromEntries(shown)) }
        return [nameOf(form), form] as const
      }),
    ),
  )

export interface PastRows {
  /** Records the writes of a call, from the rows before and after it. */
  record(state: object, before: Forms, after: Forms, at: Timestamp, remembers: number): void
  /** Returns the state as an endpoint sees it: the state itself if the endpoint sees all writes. */
  seenBy<State extends object>(endpoint: Endpoint, late: LateRows, state: State, now: Timestamp): State
  /** Returns true if an endpoint does not know a row yet. */
  isHidden(endpoint: Endpoint, state: object, row: Pick<Form, 'rows' | 'id'>, now: Timestamp): boolean
}

/** Remembers rows before writes, for services without tables. States are told apart by identity. */
export const createPastRows = (): PastRows => {
  const writesOf = new WeakMap<object, readonly Write[]>()

  /** Returns the first write to each row that the endpoint does not see. Earlier writes become visible first. */
  const unseen = (endpoint: Endpoint, state: object, now: Timestamp): ReadonlyMap<string, Write> =>
    new Map(
      (writesOf.get(state) ?? [])
        .filter(({ form, at }) => now < at + endpoint.delay(form.id, at))
        .map(write => [nameOf(write.form), write] as const)
        .reverse(),
    )

  return {
    record: (state, before, after, at, remembers) => {
      const changed = [...new Map([...before, ...after])].flatMap(([name, form]): readonly Write[] =>
        before.get(name)?.text === after.get(name)?.text
          ? []
          : [{ form, before: before.get(name)?.text, at }],
      )
      const kept = (writesOf.get(state) ?? []).filter(write => at < write.at + remembers)
      writesOf.set(state, [...kept, ...changed])
    },

    seenBy: (endpoint, late, state, now) => {
      const writes = unseen(endpoint, state, now)
      if (writes.size === 0 && endpoint.hides === undefined) return state
      const collections = Object.entries(late).map(([rows, { id: member, current = {} }]) => {
        const entries = entriesOf(state, rows)
        const known = new Set(entries.map(([, row]) => String(row[member])))
        const deleted = [...writes.values()]
          .filter(({ form }) => form.rows === rows && !known.has(form.id))
          .map(({ form }) => [form.key, { [member]: form.id, ...current }] as const)
        const shown = [...entries, ...deleted].flatMap(([key, row]): readonly (readonly [string, Row])[] => {
          const id = String(row[member])
          if (endpoint.hides?.(id)) return []
          const write = writes.get(nameOf({ rows, id }))
          if (write === undefined) return [[key, row]]
          if (write.before === undefined) return []
          const always = Object.fromEntries(Object.keys(current).map(name => [name, row[name]]))
          return [[key, { ...(JSON.parse(write.before) as Row), ...always }]]
        })
        const isList = Array.isArray((state as Record<string, unknown>)[rows])
        return [rows, isList ? shown.map(([, row]) => row) : Object.fromEntries(shown)]
      })
      return { ...state, ...Object.fromEntries(collections) }
    },

    isHidden: (endpoint, state, row, now) => {
      if (endpoint.hides?.(row.id)) return true
      const write = unseen(endpoint, state, now).get(nameOf(row))
      return write !== undefined && write.before === undefined
    },
  }
}
