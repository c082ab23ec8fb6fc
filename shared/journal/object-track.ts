import { mergePatch } from '../kubernetes/merge-patch.ts'
import type { ObjectEntry } from './entry.ts'

/** An object as it was at a moment. */
export type RecordedObject = Readonly<Record<string, unknown>>

/** The states of one object, one for each of its entries. Undefined: the object did not exist or was not known. */
export interface ObjectTrack {
  /** Adds an entry. Returns false if it is a patch of an unknown object, which changes nothing. */
  add(time: number, entry: ObjectEntry): boolean
  /** The index of the last state that is not after the time; -1 before the first. */
  indexAt(time: number): number
  stateOf(index: number): RecordedObject | undefined
  readonly entries: readonly ObjectEntry[]
  readonly times: readonly number[]
}

/**
 * Stores each state, because equal parts of states are shared: the states of a day take less memory than their patches,
 * and a moment merges nothing.
 */
export const objectTrack = (): ObjectTrack => {
  const times: number[] = []
  const entries: ObjectEntry[] = []
  const states: (RecordedObject | undefined)[] = []
  return {
    times,
    entries,
    add: (time, entry) => {
      const last = states.at(-1)
      if (entry.patch !== undefined && last === undefined) return false
      times.push(time)
      entries.push(entry)
      states.push(after(last, entry))
      return true
    },
    indexAt: time => lastNotAfter(times, time),
    stateOf: index => states[index],
  }
}

const after = (
  state: RecordedObject | undefined,
  { object, patch, gone }: ObjectEntry,
): RecordedObject | undefined => {
  if (gone) return undefined
  if (object !== undefined) return object
  return patch === undefined ? state : (mergePatch(state, patch) as RecordedObject)
}

/** Returns the index of the last number that is not greater, by binary search; -1 if all are. */
const lastNotAfter = (sorted: readonly number[], limit: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
