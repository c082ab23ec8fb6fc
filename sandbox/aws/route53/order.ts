import { sortKey } from './name.ts'
import type { RecordSet } from './state.ts'

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Where a record set stands in a listing. */
export interface Position {
  readonly name: string
  readonly type: string
  readonly identifier: string
}

/** Names by reversed labels, then types, then set identifiers. */
export const comparePositions = (a: Position, b: Position): number =>
  compareText(sortKey(a.name), sortKey(b.name)) ||
  compareText(a.type, b.type) ||
  compareText(a.identifier, b.identifier)

export const positionOf = (set: RecordSet): Position => ({
  name: set.Name,
  type: set.Type,
  identifier: set.SetIdentifier ?? '',
})

/** The order of ListResourceRecordSets; the keys are made once for each set, not once for each comparison. */
export const inOrder = (sets: Iterable<RecordSet>): RecordSet[] =>
  Array.from(sets, set => ({ set, key: sortKey(set.Name) }))
    .sort(
      (a, b) =>
        compareText(a.key, b.key) ||
        compareText(a.set.Type, b.set.Type) ||
        compareText(a.set.SetIdentifier ?? '', b.set.SetIdentifier ?? ''),
    )
    .map(({ set }) => set)

export const compareZoneNames = (a: string, b: string): number => compareText(sortKey(a), sortKey(b))
