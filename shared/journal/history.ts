import type { EventEntry, GapEntry, JournalEntry, ObjectEntry, StepEntry } from './entry.ts'
import { objectIdOfEvent } from './object-id.ts'
import { type ObjectTrack, objectTrack, type RecordedObject } from './object-track.ts'

/** All objects at a moment. Each call reads lazily, so that a moment costs nothing until it is used. */
export interface Moment {
  /** In ms since the epoch. */
  readonly time: number
  /** Returns the object, or undefined if it did not exist. Equal parts of two moments are the same values. */
  get(id: string): RecordedObject | undefined
  /** Returns the number of the object's state. Equal numbers are equal states; -1: no state yet. */
  version(id: string): number
  /** Returns the ids of the objects that existed, in the order of their first entry. */
  ids(): readonly string[]
}

/** A change of an object. */
export interface RecordedChange {
  readonly time: number
  readonly entry: ObjectEntry
  /** Returns the object before the change; undefined for a new one. */
  readonly before: () => RecordedObject | undefined
  /** Returns the object after the change; undefined if it was deleted. */
  readonly after: () => RecordedObject | undefined
}

/** A journal in memory, by time and by object. It runs in browsers. */
export interface History {
  /** Adds an entry, such as of a journal that is still written. */
  add(entry: JournalEntry): void
  /** The time of the first and the last entry; undefined without entries. */
  span(): { readonly from: number; readonly until: number } | undefined
  /** Returns all objects at a time in ms since the epoch. */
  at(time: number): Moment
  /** The ids of all objects, also of deleted ones, in the order of their first entry. */
  ids(): readonly string[]
  changesOf(id: string): readonly RecordedChange[]
  stepsOf(id: string): readonly StepEntry[]
  eventsOf(id: string): readonly EventEntry[]
  /** All steps, in order. */
  readonly steps: readonly StepEntry[]
  /** All events, in order. */
  readonly events: readonly EventEntry[]
  readonly gaps: readonly GapEntry[]
  /** The number of patches without a known object. They are ignored. */
  lostPatches(): number
}

/**
 * Creates the history of a journal. Its entries are in order; an earlier time after a later one counts as the later
 * one, because the clock of a recorder may be set back.
 */
export const createHistory = (entries: Iterable<JournalEntry> = []): History => {
  const tracks = new Map<string, ObjectTrack>()
  const stepsById = new Map<string, StepEntry[]>()
  const eventsById = new Map<string, EventEntry[]>()
  const steps: StepEntry[] = []
  const events: EventEntry[] = []
  const gaps: GapEntry[] = []
  let first: number | undefined
  let last = Number.NEGATIVE_INFINITY
  let lostPatches = 0

  const add = (entry: JournalEntry): void => {
    last = Math.max(last, Date.parse(entry.at))
    first ??= last
    switch (entry.type) {
      case 'object': {
        if (!itemOf(tracks, entry.id, objectTrack).add(last, entry)) lostPatches++
        return
      }
      case 'event':
        events.push(entry)
        itemOf(eventsById, objectIdOfEvent(entry.event), () => []).push(entry)
        return
      case 'step':
        steps.push(entry)
        itemOf(stepsById, entry.object, () => []).push(entry)
        return
      case 'gap':
        gaps.push(entry)
    }
  }
  for (const entry of entries) add(entry)

  return {
    add,
    steps,
    events,
    gaps,
    span: () => (first === undefined ? undefined : { from: first, until: last }),
    at: time => momentOf(tracks, time),
    ids: () => [...tracks.keys()],
    changesOf: id => {
      const track = tracks.get(id)
      return (track?.entries ?? []).map((entry, index) => ({
        time: track?.times[index] ?? 0,
        entry,
        before: () => track?.stateOf(index - 1),
        after: () => track?.stateOf(index),
      }))
    },
    stepsOf: id => stepsById.get(id) ?? [],
    eventsOf: id => eventsById.get(id) ?? [],
    lostPatches: () => lostPatches,
  }
}

const momentOf = (tracks: ReadonlyMap<string, ObjectTrack>, time: number): Moment => {
  const get = (track: ObjectTrack | undefined) => track?.stateOf(track.indexAt(time))
  return {
    time,
    get: id => get(tracks.get(id)),
    version: id => tracks.get(id)?.indexAt(time) ?? -1,
    ids: () => {
      const present: string[] = []
      for (const [id, track] of tracks) if (get(track) !== undefined) present.push(id)
      return present
    },
  }
}

const itemOf = <T>(items: Map<string, T>, key: string, create: () => T): T => {
  const found = items.get(key)
  if (found !== undefined) return found
  const created = create()
  items.set(key, created)
  return created
}
