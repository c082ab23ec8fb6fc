import type { Clock } from '../../../shared/clock/clock.ts'
import type { JournalEntry, JournalHeader } from '../../../shared/journal/journal.ts'
import type { IsServed } from '../../observe/observe.ts'
import { type ConsoleStore, createStore } from '../store/create-store.ts'
import { tickMs } from '../store/next-evaluation.ts'
import type { TreeAt } from '../store/shoot-store.ts'

/** The entries that the console shows. */
export interface ConsoleSource {
  readonly header: JournalHeader
  /** True if entries arrive while the console runs. */
  readonly live: boolean
  readonly entries: AsyncIterable<readonly JournalEntry[]>
  /** The kinds that have not been listed yet: a shoot may have objects of them. Default: none. */
  readonly unlisted?: () => readonly string[]
}

/** A store that grows, and those who wait for its next entries. */
export interface ConsoleSession {
  readonly live: boolean
  readonly unlisted: () => readonly string[]
  readonly store: () => ConsoleStore
  /** Counts the restarts: the numbers of entries of two eras have nothing in common. */
  readonly era: () => number
  /** Calls `changed` after new entries, until the returned function is called. */
  readonly watch: (changed: () => void) => () => void
  /** Adds all entries. Resolves at the end of the source. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface SessionOptions {
  readonly treeAt: TreeAt
  /** Tells which objects Trellis serves. Default: all. */
  readonly isServed?: IsServed | undefined
  readonly clock: Clock
  /** A live console forgets its past beyond this number of entries. */
  readonly mostEntries: number
}

export const createSession = (
  { header, live, entries, unlisted = () => [] }: ConsoleSource,
  { treeAt, isServed, clock, mostEntries }: SessionOptions,
): ConsoleSession => {
  let store = createStore(header, { treeAt, ...(isServed && { isServed }) })
  let era = 0
  const watchers = new Set<() => void>()

  /** Continues with the present objects only. */
  const forget = () => {
    const at = new Date(store.overview().to).toISOString()
    const present = store.present()
    store = createStore({ ...header, at }, { treeAt, ...(isServed && { isServed }) })
    era++
    for (const [id, object] of present) store.add({ type: 'object', at, id, object: { ...Object(object) } })
    store.add({
      type: 'gap',
      at,
      why: `the console keeps ${mostEntries} entries; use trellis record for more`,
    })
  }

  const notify = () => {
    for (const changed of watchers) changed()
  }

  /** Waits become due and claims expire without a write. */
  const tick = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await clock.sleep(tickMs, signal).catch(() => {})
      if (signal.aborted) return
      store.tick(clock.now())
      notify()
    }
  }

  return {
    live,
    unlisted,
    store: () => store,
    era: () => era,
    watch: changed => {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
    run: async signal => {
      const ticks = live ? tick(signal) : undefined
      for await (const batch of entries) {
        if (signal.aborted) return
        for (const entry of batch) store.add(entry)
        // A kind without objects was listed.
        if (batch.length === 0) store.tick(clock.now())
        if (live && store.size() > mostEntries) forget()
        notify()
      }
      await ticks
    },
  }
}
