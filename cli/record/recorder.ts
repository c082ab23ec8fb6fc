import { type Clock, formatMilliseconds } from '../../shared/clock/clock.ts'
import { isDeeper } from '../../shared/decode/json-bounds.ts'
import type { EventEntry, GapEntry, JournalEntry, StepEntry } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { replacement } from '../../shared/kubernetes/merge-patch.ts'

/** Receives what is seen, in the order in which it was seen. Calls return at once. */
export interface Recorder {
  /** The object exists in this version. */
  object(id: string, object: KubernetesObject): void
  gone(id: string): void
  /** A list is complete. The objects for which `isListed` returns true exist only if they are in `present`. */
  listed(present: ReadonlySet<string>, isListed: (id: string) => boolean): void
  /** An event or a step, at its own time. */
  entry(entry: EventEntry | StepEntry): void
  /** Something cannot be seen. `at`: since when; default: now. `until`: it is seen again since then. */
  gap(why: string, time?: { readonly at?: number; readonly until?: number }): void
  /** Resolves when everything that was seen is written. Rejects if a write fails. */
  written(): Promise<void>
}

export interface RecorderOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Removes the secrets of an object. */
  readonly cleanObject: (object: KubernetesObject) => Promise<KubernetesObject> | KubernetesObject
  /** Removes the secrets of an event, a step or a gap. */
  readonly clean: (value: unknown) => unknown
  readonly write: (entry: JournalEntry) => Promise<void>
  /** The objects at the end of a journal that is continued. */
  readonly before?: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Called once after the first failure of a write. */
  readonly failed?: (error: unknown) => void
}

/** Seen changes that wait to be written. Beyond them, later changes replace earlier ones of the same object. */
const mostWaiting = 5_000
/** The longest line that readers of journals accept has 1 MiB of characters. */
const mostOfEntry = 1024 * 1024 - 1024

type Seen =
  | { readonly kind: 'object'; at: number; readonly id: string; object: KubernetesObject }
  | { readonly kind: 'gone'; readonly at: number; readonly id: string }
  | { readonly kind: 'entry'; readonly entry: EventEntry | StepEntry | GapEntry }

/**
 * Creates a recorder, which writes an object first whole and then as merge patches. It holds the last version of each
 * object as text, and a bounded number of changes that are not written yet.
 */
export const createRecorder = ({
  clock,
  cleanObject,
  clean,
  write,
  before = new Map(),
  failed = () => {},
}: RecorderOptions): Recorder => {
  /** The JSON of each object as the journal shows it. */
  const last = new Map([...before].map(([id, object]) => [id, JSON.stringify(object)]))
  /** The same, with everything that is seen but not written. */
  const present = new Set(last.keys())
  const queue: Seen[] = []
  const waiting = new Map<string, Seen & { readonly kind: 'object' }>()
  let merged = 0
  let running: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  const push = (seen: Seen): void => {
    if (failure !== undefined) return
    queue.push(seen)
    running ??= drain()
  }

  const drain = async (): Promise<void> => {
    try {
      // Handlers call in bursts, and must not wait for the first entry.
      await Promise.resolve()
      while (queue.length > 0) for (const seen of queue.splice(0)) await writeSeen(seen)
      if (merged > 0) {
        const count = merged
        merged = 0
        await writeEntry(gapOf(`${count} changes came faster than they could be written`, clock.now()))
      }
    } catch (error) {
      failure ??= { error }
      queue.length = 0
      failed(error)
    } finally {
      running = undefined
    }
  }

  const writeEntry = (entry: EventEntry | StepEntry | GapEntry): Promise<void> =>
    write(clean(entry) as JournalEntry)

  const writeSeen = async (seen: Seen): Promise<void> => {
    if (seen.kind === 'entry') return writeEntry(seen.entry)
    const at = formatMilliseconds(seen.at)
    const { id } = seen
    if (seen.kind === 'gone') {
      last.delete(id)
      return write({ type: 'object', at, id, gone: true })
    }
    if (waiting.get(id) === seen) waiting.delete(id)
    if (isDeeper(seen.object)) return writeEntry(gapOf(`${id}: the object has too many levels`, seen.at))
    let object: KubernetesObject
    try {
      object = await cleanObject(seen.object)
    } catch {
      // Unknown content might contain secrets.
      return writeEntry(gapOf(`${id}: its secrets could not be removed, so it is left out`, seen.at))
    }
    const json = JSON.stringify(object)
    const former = last.get(id)
    if (former === json) return
    if (json.length > mostOfEntry)
      return writeEntry(gapOf(`${id}: the object is longer than an entry may be`, seen.at))
    last.set(id, json)
    if (former === undefined) return write({ type: 'object', at, id, object: object as never })
    const patch = replacement(JSON.parse(former), object)
    if (patch !== undefined) await write({ type: 'object', at, id, patch: patch as never })
  }

  const gone = (id: string): void => {
    if (!present.delete(id)) return
    waiting.delete(id)
    push({ kind: 'gone', at: clock.now(), id })
  }

  return {
    object: (id, object) => {
      present.add(id)
      const earlier = queue.length >= mostWaiting ? waiting.get(id) : undefined
      if (earlier !== undefined) {
        earlier.object = object
        earlier.at = clock.now()
        merged++
        return
      }
      const seen = { kind: 'object', at: clock.now(), id, object } as const
      waiting.set(id, seen)
      push(seen)
    },
    gone,
    listed: (listed, isListed) => {
      for (const id of [...present]) if (isListed(id) && !listed.has(id)) gone(id)
    },
    entry: entry => push({ kind: 'entry', entry }),
    gap: (why, { at = clock.now(), until } = {}) =>
      push({ kind: 'entry', entry: gapOf(why, at, until) }),
    written: async () => {
      while (running !== undefined) await running
      if (failure !== undefined) throw failure.error
    },
  }
}

const gapOf = (why: string, at: number, until?: number): GapEntry => ({
  type: 'gap',
  at: formatMilliseconds(at),
  ...(until !== undefined && { until: formatMilliseconds(until) }),
  why,
})
