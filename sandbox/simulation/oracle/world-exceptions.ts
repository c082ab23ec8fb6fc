import type { WorldRow } from './world-row.ts'

/** A permitted difference between worlds. */
export interface WorldException {
  readonly why: string
  /** Removes what may differ from the rows of either world. */
  readonly rows: (rows: readonly WorldRow[]) => readonly WorldRow[]
}

/** Removes what may differ from each row. Undefined: the row itself may differ. */
export const inEachRow =
  (row: (row: WorldRow) => WorldRow | undefined): WorldException['rows'] =>
  rows =>
    rows.flatMap(one => row(one) ?? [])

/** Differences between a world with a past and a new one. */
export const worldExceptions: readonly WorldException[] = [
  {
    why: 'the state of a graph remembers former resources and recent changes (docs/engine.md)',
    rows: inEachRow(row =>
      / (?:Infrastructure|Bastion) /.test(row.place) ? { ...row, value: withoutGone(row.value) } : row,
    ),
  },
  {
    why: 'the state of a Bastion remembers recent changes of its rules, and counts former machines (docs/bastions.md)',
    rows: inEachRow(row => (/ Bastion /.test(row.place) ? { ...row, value: withoutRecent(row.value) } : row)),
  },
]

const withoutRecent = (value: unknown): unknown => {
  const { status, ...object } = Object(value)
  if (status?.state === undefined) return value
  const { rules: _, instance, ...state } = status.state
  return { ...object, status: { ...status, state: { ...state, instance: { id: instance?.id } } } }
}

const withoutGone = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, field) =>
    /^(?:Gone|Creating|Made|Changing|Deleted)\//.test(name) ? undefined : field,
  )
