import { sortKey } from '../name.ts'
import type { StoredRecordSet } from '../state.ts'

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The position of a record set in a listing. */
export interface RecordPosition {
  readonly name: string
  readonly type: string
  readonly identifier: string
}

/** Compares names by reversed labels, then types, then set identifiers. */
export const comparePositions = (a: RecordPosition, b: RecordPosition): number =>
  compareText(sortKey(a.name), sortKey(b.name)) ||
  compareText(a.type, b.type) ||
  compareText(a.identifier, b.identifier)

export const positionOf = (set: StoredRecordSet): RecordPosition => ({
  name: set.Name,
  type: set.Type,
  identifier: set.SetIdentifier ?? '',
})

/** Returns the index of the first record set at or after the position, by binary search. */
export const indexAt = (sets: readonly StoredRecordSet[], position: RecordPosition): number => {
  let low = 0
  let high = sets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const set = sets[middle]
    if (set && comparePositions(positionOf(set), position) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the record set with the same name, type and identifier. */
export const counterpart = (
  sets: readonly StoredRecordSet[],
  set: StoredRecordSet,
): StoredRecordSet | undefined => {
  const position = positionOf(set)
  const there = sets[indexAt(sets, position)]
  return there && comparePositions(positionOf(there), position) === 0 ? there : undefined
}

/** Inserts a record set at its sorted position, replacing its counterpart. */
export const place = (sets: StoredRecordSet[], set: StoredRecordSet): void => {
  sets.splice(indexAt(sets, positionOf(set)), counterpart(sets, set) ? 1 : 0, set)
}

/** Removes the counterpart of a record set, which must exist. */
export const takeOut = (sets: StoredRecordSet[], set: StoredRecordSet): void => {
  sets.splice(indexAt(sets, positionOf(set)), 1)
}

/** Returns all record sets of a name. */
export const setsOf = (sets: readonly StoredRecordSet[], name: string): StoredRecordSet[] => {
  const first = indexAt(sets, { name, type: '', identifier: '' })
  const found: StoredRecordSet[] = []
  for (let index = first; sets[index]?.Name === name; index++) found.push(sets[index] as StoredRecordSet)
  return found
}
