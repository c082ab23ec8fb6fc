/**
 * The memory between steps: flat, `key: text`. Each resource of the graph defines the key of its id. Keys that no
 * resource claims pass through unchanged. During work in progress, `Waiting/…` holds the waits of the steps, and
 * `Made/…` the creation times of resources that the cloud may not list yet.
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

export interface StateKeeper {
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
export const stateKeeper = (initial: State, save: SaveState): StateKeeper => {
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
