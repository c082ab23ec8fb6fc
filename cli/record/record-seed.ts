import { type Clock, followSignal, formatMilliseconds } from '../../shared/clock/clock.ts'
import {
  type JournalEntry,
  type JournalHeader,
  journalWriter,
  objectIdOfEvent,
  partsOfObjectId,
} from '../../shared/journal/journal.ts'
import {
  createListQueue,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import type { PresentJournal } from './file/checked-journal.ts'
import type { JournalOutput } from './file/journal-output.ts'
import { followKind } from './follow/follow-kind.ts'
import type { FollowedKind } from './follow/followed-kind.ts'
import { createSelection, recordedKinds } from './recorded-kinds.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createCleanObject } from './secrets/clean-object.ts'
import { createCleanValue } from './secrets/clean-value.ts'
import { createHide } from './secrets/hidden-text.ts'
import { createSecretReader, secretPlacesOf, secretPlacesOfId } from './secrets/read-secrets.ts'
import { createValueSearch } from './secrets/value-search.ts'

export interface RecordOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly output: JournalOutput
  /** The program, for the header: `trellis record 1.2.3`. */
  readonly by: string
  /** The name of the seed, if it is known. */
  readonly seed?: string
  /** The namespaces of the chosen shoots. Default: all. */
  readonly shoots?: readonly string[]
  /** The journal that is continued. */
  readonly present?: PresentJournal
  /** The maximum size of the journal in bytes. Default: no limit. */
  readonly mostBytes?: number
  /** Interval of lists without a permission to watch, in milliseconds. Default: 10 s. */
  readonly pollMs?: number
  /**
   * Adds what no object shows, events and steps, until the signal aborts. It selects entries with `isSelected`.
   * Default: nothing is added.
   */
  readonly tap?: (
    recorder: Recorder,
    isSelected: (entry: JournalEntry) => boolean,
    signal: AbortSignal,
  ) => Promise<void>
  /** Called after each complete list of a kind. */
  readonly listed?: (kind: string) => void
}

export interface RecordingEnd extends JournalTally {
  /** True if it ended because the journal has its maximum size. */
  readonly isFull: boolean
  readonly bytes: number
}

/**
 * Records a seed until the signal aborts or the journal is full. Rejects if the output fails. Secrets are read only to
 * search for their values.
 */
export const recordSeed = async (
  { kubernetes, clock, output, present, shoots, ...options }: RecordOptions,
  signal: AbortSignal,
): Promise<RecordingEnd> => {
  const { mostBytes = Number.POSITIVE_INFINITY } = options
  const ended = followSignal(signal)
  const tally = createTally()
  let isFull = false
  const write = (line: string, value: JournalHeader | JournalEntry): void => {
    if (isFull) return
    isFull = output.size() + Buffer.byteLength(line) + reservedBytes > mostBytes
    if (!isFull) {
      output.write(line)
      tally.count(value)
      return
    }
    const why = 'the recording ended, because the journal has its maximum size'
    output.write(`${JSON.stringify({ type: 'gap', at: formatMilliseconds(clock.now()), why })}\n`)
    ended.abort()
  }

  const hide = createHide()
  const search = createValueSearch(hide)
  const clean = createCleanValue(hide, search)
  const cleanObject = createCleanObject(clean, hide)
  const secrets = createSecretReader({
    kubernetes,
    clock,
    search,
    refused: why =>
      recorder.gap(
        `values of Secrets: they cannot be read (${why}), so secrets are removed by field and shape only`,
      ),
  })
  const writer = journalWriter({
    header: {
      by: options.by,
      at: formatMilliseconds(clock.now()),
      ...(options.seed !== undefined && { seed: options.seed }),
      ...(shoots !== undefined && { shoots: [...shoots] }),
    },
    write,
    secrets: { isIn: text => search.replace(text) !== text, redact: clean },
    ...(present && { present: present.ids }),
  })
  // A recording that sees nothing is a journal, too.
  await output.flushed()
  const recorder = createRecorder({
    clock,
    writer,
    clean,
    cleanEntry: async (value, id) => {
      await secrets.read(secretPlacesOfId(id), ended.signal)
      return clean(value)
    },
    cleanObject: async object => {
      await secrets.read(secretPlacesOf(object), ended.signal)
      return cleanObject(object)
    },
    flushed: output.flushed,
    failed: () => ended.abort(),
    ...(present && { present: present.ids }),
  })
  if (present) recorder.gap('nothing was recorded', { at: Date.parse(present.until), until: clock.now() })

  const record = (object: KubernetesObject) => recorder.object(object)
  const selection = createSelection(shoots, record)
  const isSelected = (entry: JournalEntry): boolean =>
    entry.type === 'gap' ||
    // An earlier recording has the others.
    ((present === undefined || entry.at > present.bridgeUntil) && selection.id(subjectOf(entry)))
  const follow = {
    kubernetes,
    clock,
    recorder,
    isSelected: selection.object,
    pollMs: options.pollMs ?? 10_000,
    listQueue: createListQueue(clock),
    ...(options.listed && { listed: options.listed }),
  }
  const work = followedKinds(shoots).map(followed => followKind(followed, follow, ended.signal))
  if (options.tap) work.push(options.tap(recorder, isSelected, ended.signal))
  await Promise.all(work)
  await recorder.written()
  await output.flushed()
  ended.release()
  return { ...tally.result(), bytes: output.size(), isFull }
}

/** Bytes for the last line of a full journal. */
const reservedBytes = 512

/** Returns the id of the object of an event or a step. A gap concerns all. */
const subjectOf = (entry: JournalEntry): string => {
  if (entry.type === 'step') return entry.object
  return entry.type === 'event' ? objectIdOfEvent(entry.event) : ''
}

/** Returns the lists to follow: each kind once for all shoots, or in the namespace of each chosen one. */
const followedKinds = (shoots: readonly string[] | undefined): readonly FollowedKind[] =>
  recordedKinds.flatMap((recorded): FollowedKind[] => {
    if (shoots === undefined) return [recorded]
    if (recorded.resource.namespaced) return shoots.map(namespace => ({ ...recorded, namespace }))
    if (recorded.kind !== 'Cluster') return [recorded]
    return shoots.map(name => ({ ...recorded, fieldSelector: `metadata.name=${name}` }))
  })

/** The content of a recording, for its summary. */
interface JournalTally {
  readonly entries: { readonly [type in JournalEntry['type']]: number }
  /** The namespaces with recorded objects. */
  readonly shoots: readonly string[]
  /** The reasons of its gaps, each once. */
  readonly gaps: readonly string[]
}

/** The most gaps that a summary lists. */
const mostGaps = 1_000

/** Counts the entries of a journal. */
const createTally = () => {
  const entries = { object: 0, event: 0, step: 0, gap: 0 }
  const shoots = new Set<string>()
  const gaps = new Set<string>()
  return {
    count: (value: JournalHeader | JournalEntry): void => {
      if (!('type' in value)) return
      entries[value.type]++
      if (value.type === 'gap' && gaps.size < mostGaps) gaps.add(value.why)
      if (value.type !== 'object') return
      const { kind, namespace, name } = partsOfObjectId(value.id) ?? {}
      if (kind === 'Cluster' && name !== undefined) shoots.add(name)
      else if (namespace?.startsWith('shoot-')) shoots.add(namespace)
    },
    result: (): JournalTally => ({ entries: { ...entries }, shoots: [...shoots], gaps: [...gaps] }),
  }
}
