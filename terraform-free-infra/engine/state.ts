/**
 * What is remembered between steps: flat, `key: text`. Which key holds a resource's id is said when it is added to the
 * graph. Keys that no resource claims pass through unchanged. While something is under way, `Waiting/…` holds what the
 * steps wait for, and `Made/…` when what the cloud may not list yet was made.
 */
export type State = Readonly<Record<string, string>>

/** How a provider writes its state down, so that the shape that is stored stays the provider's own. */
export interface StateCodec {
  /** Throws when the stored value is none of this provider's. Undefined and null: nothing is stored yet. */
  decode(stored: unknown): State
  encode(state: State): unknown
}

/**
 * Writes the state down. `removed`: keys that may stand in the stored one and are no longer in it, for stores that
 * merge what they get (a merge patch removes a key by null).
 */
export type SaveState = (state: State, removed: readonly string[]) => Promise<void>

export interface StateKeeper {
  current(): State
  /** Changes keys in memory; undefined removes one. */
  change(changes: Readonly<Record<string, string | undefined>>): void
  /** Resolves once everything changed so far is written; writes nothing when nothing differs. */
  saved(): Promise<void>
}

/**
 * Keeps the state of a step. Writes never overlap: changes that come while one is under way go together into the next.
 * When a write fails, those that waited for it fail, and the next `saved` tries again.
 */
export const stateKeeper = (initial: State, save: SaveState): StateKeeper => {
  let state = initial
  let version = 0
  let written = 0
  let running: Promise<void> | undefined
  // Also those of a write that failed: it may have happened.
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
      // The one under way may have begun before the last change; its failure is not ours.
      await running?.catch(() => undefined)
      while (written < mine) await write()
    },
  }
}

const sameState = (one: State, other: State): boolean => {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => one[key] === other[key])
}
