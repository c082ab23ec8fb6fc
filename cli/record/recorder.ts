import { type Clock, formatMilliseconds } from '../../shared/clock/clock.ts'
import { isDeeper } from '../../shared/decode/json-bounds.ts'
import { type JournalWriter, objectIdOf, objectIdOfEvent } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** Receives what is seen, in the order in which it was seen. Calls return at once. */
export interface Recorder {
  /** The object exists in this version. */
  object(object: KubernetesObject): void
  gone(id: string): void
  /** A list is complete: of the objects that `isListed` selects, only those in `present` exist. */
  listed(present: ReadonlySet<string>, isListed: (id: string) => boolean): void
  event(at: string, event: Parameters<JournalWriter['event']>[1]): void
  step(at: string, report: Parameters<JournalWriter['step']>[1]): void
  /** Something cannot be seen. `at`: since when; default: now. `until`: it is seen again since then. */
  gap(why: string, time?: { readonly at?: number; readonly until?: number }): void
  /** Resolves when everything that was seen is written. Rejects if a write has failed. */
  written(): Promise<void>
}

export interface RecorderOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly writer: JournalWriter
  /** Removes the secrets of an object. */
  readonly cleanObject: (object: KubernetesObject) => Promise<KubernetesObject>
  /** Removes the secrets of an event or a step. `id`: its object. */
  readonly cleanEntry: <T>(value: T, id: string) => Promise<T>
  /** Removes the secrets of a text. */
  readonly clean: (text: string) => string
  /** Resolves when the output can take more lines. Rejects if it takes none. */
  readonly flushed: () => Promise<void>
  /** Called once after the first failure of a write. */
  readonly failed?: (error: unknown) => void
  /** The ids of the objects at the end of a journal that is continued. */
  readonly present?: Iterable<string>
}

/** Seen changes that wait to be written. Beyond them, later changes replace earlier ones of the same object. */
const mostWaiting = 5_000

/** An object in the queue; a later version may replace it. */
interface QueuedObject {
  readonly id: string
  at: number
  object: KubernetesObject
}

/** Creates a recorder, which holds a bounded number of changes that are not written yet. */
export const createRecorder = ({
  clock,
  writer,
  cleanObject,
  cleanEntry,
  clean,
  flushed,
  failed = () => {},
  present: given = [],
}: RecorderOptions): Recorder => {
  /** The objects that exist, as far as was seen. */
  const present = new Set(given)
  const queue: (() => Promise<void> | void)[] = []
  const waiting = new Map<string, QueuedObject>()
  let merged = 0
  let running: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  const push = (write: () => Promise<void> | void): void => {
    if (failure !== undefined) return
    queue.push(write)
    running ??= drain()
  }

  const drain = async (): Promise<void> => {
    try {
      // Handlers call in bursts, and must not wait for the first entry.
      await Promise.resolve()
      while (queue.length > 0)
        for (const write of queue.splice(0)) {
          await write()
          await flushed()
        }
      if (merged > 0)
        writer.gap(timeOf(clock.now()), `${merged} changes came faster than they could be written`)
      merged = 0
    } catch (error) {
      failure ??= { error }
      queue.length = 0
      failed(error)
    } finally {
      running = undefined
    }
  }

  const writeObject = async (seen: QueuedObject): Promise<void> => {
    if (waiting.get(seen.id) === seen) waiting.delete(seen.id)
    const at = timeOf(seen.at)
    if (isDeeper(seen.object)) return writer.gap(at, `${seen.id} is left out: it has too many levels`)
    let object: KubernetesObject
    try {
      object = await cleanObject(seen.object)
    } catch {
      // It might contain secrets.
      return writer.gap(at, `${seen.id} is left out: its secrets could not be removed`)
    }
    writer.object(at, object)
  }

  const gone = (id: string): void => {
    if (!present.delete(id)) return
    waiting.delete(id)
    const at = timeOf(clock.now())
    push(() => writer.gone(at, id))
  }

  return {
    object: object => {
      const id = objectIdOf({ kind: object.kind, ...object.metadata })
      present.add(id)
      const earlier = queue.length >= mostWaiting ? waiting.get(id) : undefined
      if (earlier !== undefined) {
        earlier.object = object
        earlier.at = clock.now()
        merged++
        return
      }
      const seen: QueuedObject = { id, at: clock.now(), object }
      waiting.set(id, seen)
      push(() => writeObject(seen))
    },
    gone,
    listed: (listed, isListed) => {
      for (const id of [...present]) if (isListed(id) && !listed.has(id)) gone(id)
    },
    event: (at, event) => push(async () => writer.event(at, await cleanEntry(event, objectIdOfEvent(event)))),
    step: (at, report) => push(async () => writer.step(at, await cleanEntry(report, report.object))),
    gap: (why, { at = clock.now(), until } = {}) =>
      push(() => writer.gap(timeOf(at), clean(why), until === undefined ? undefined : timeOf(until))),
    written: async () => {
      while (running !== undefined) await running
      if (failure !== undefined) throw failure.error
    },
  }
}

const timeOf = formatMilliseconds
