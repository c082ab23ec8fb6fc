import { formatMilliseconds, parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'

/**
 * The memory between steps: flat, `key: text`. Each resource of the graph defines the key of its id. Keys that no
 * resource claims pass through unchanged. During work in progress, `Waiting/…` holds the waits of the steps.
 * `memory.ts` has the entries for what the cloud may not show yet.
 */
export type State = Readonly<Record<string, string>>

/** Converts between the state and the provider's own stored format. */
export interface StateCodec {
  /** Throws if the stored value is not of this provider. Undefined and null mean that nothing is stored yet. */
  decode(stored: unknown): State
  encode(state: State): unknown
}

/**
 * Writes the state. `removed`: keys that the stored state may have and the new one does not, for stores that merge (a
 * merge patch removes a key with null).
 */
export type SaveState = (state: State, removed: readonly string[]) => Promise<void>

export interface StateWriter {
  current(): State
  /** Changes keys in memory. Undefined removes a key. */
  change(changes: Readonly<Record<string, string | undefined>>): void
  /** Resolves once all changes so far are written. Writes nothing if nothing differs. */
  saved(): Promise<void>
}

/**
 * Holds the state of a step in memory and saves it. Writes never overlap: changes during a write go together into the
 * next one. If a write fails, its callers fail, and the next `saved` retries.
 */
export const createStateWriter = (initial: State, save: SaveState): StateWriter => {
  let state = initial
  let version = 0
  let written = 0
  let running: Promise<void> | undefined
  // Includes the keys of a failed write, because it may have taken effect.
  const stored = new Set(Object.keys(initial))

  const write = (): Promise<void> => {
    running ??= (async () => {
      const writing = version
      const removed = [...stored].filter(key => state[key] === undefined)
      for (const key of Object.keys(state)) stored.add(key)
      try {
        await save(state, removed)
        written = writing
        for (const key of removed) stored.delete(key)
      } finally {
        running = undefined
      }
    })()
    return running
  }

  return {
    current: () => state,
    change: changes => {
      const next: Record<string, string> = { ...state }
      for (const [key, value] of Object.entries(changes)) {
        if (value === undefined) delete next[key]
        else next[key] = value
      }
      if (sameState(next, state)) return
      state = next
      version++
    },
    saved: async () => {
      const mine = version
      // The running write may have started before the last change, so its failure is ignored here.
      await running?.catch(() => undefined)
      while (written < mine) await write()
    },
  }
}

const sameState = (one: State, other: State): boolean => {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => one[key] === other[key])
}

const prefix = 'Waiting/'

/** A wait in the form of the state: `Waiting/<subject>: <since> <how> <id> <what>`. */
export interface NotedWait {
  /** The label of the resource, followed by the id during a removal. */
  readonly subject: string
  readonly since: Timestamp
  /** `busy` must be retried. The others only need reads. */
  readonly how: 'pending' | 'going' | 'busy'
  readonly id: string
  /** The resource type. */
  readonly what: string
}

/** Returns the waits in the state, which the last step could not finish. */
export const notedWaits = (state: State): readonly NotedWait[] =>
  Object.entries(state).flatMap(([key, value]) => {
    const [time, how, id = '', ...what] = value.split(' ')
    const since = parseTimestamp(time)
    if (!key.startsWith(prefix) || since === undefined) return []
    const known = how === 'pending' || how === 'going' ? how : 'busy'
    return [{ subject: key.slice(prefix.length), since, how: known, id, what: what.join(' ') }]
  })

/** Returns the start of a wait for the same resource, or undefined if the wait is new. */
export const waitingSince = (state: State, subject: string, id: string): Timestamp | undefined =>
  notedWaits(state).find(wait => wait.subject === subject && wait.id === id)?.since

/** Returns state changes after which the state has exactly these waits. */
export const noteWaits = (
  state: State,
  waits: readonly NotedWait[],
): Readonly<Record<string, string | undefined>> => ({
  ...without(state, prefix),
  ...Object.fromEntries(
    waits.map(({ subject, since, how, id, what }) => [
      `${prefix}${subject}`,
      `${formatMilliseconds(since)} ${how} ${id} ${what}`,
    ]),
  ),
})

const gonePrefix = 'Gone/'

/** Returns the state key for the former id of another key. */
export const goneKey = (idKey: string): string => `${gonePrefix}${idKey}`

/** Returns a state change that removes all former ids. */
export const noneGone = (state: State): Readonly<Record<string, undefined>> => without(state, gonePrefix)

const without = (state: State, begin: string): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.keys(state)
      .filter(key => key.startsWith(begin))
      .map(key => [key, undefined]),
  )
