import { type Clock, followSignal, formatMilliseconds } from '../../shared/clock/clock.ts'
import { type JournalEntry, journalWriter } from '../../shared/journal/journal.ts'
import {
  createListQueue,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import type { PresentJournal } from './file/checked-journal.ts'
import { type JournalOutput, limitedOutput } from './file/journal-output.ts'
import { followKind } from './follow/follow-kind.ts'
import type { FollowedKind } from './follow/followed-kind.ts'
import { createSelection, recordedKinds } from './recorded-kinds.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createCleanObject } from './secrets/clean-object.ts'
import { createCleanValue } from './secrets/clean-value.ts'
import { createHide } from './secrets/hidden-text.ts'
import { createSecretReader, secretPlacesOf, secretPlacesOfId } from './secrets/read-secrets.ts'
import { createValueSearch } from './secrets/value-search.ts'
import { createTally, type JournalTally } from './tally.ts'

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
}

/** The end of a recording. */
export interface RecordingEnd extends JournalTally {
  /** The reason why it ended before the signal. Absent: it did not. */
  readonly full?: true
  readonly bytes: number
}

/**
 * Records a seed until the signal aborts or the journal is full. Rejects if the output fails. Secrets are read only to
 * search for their values.
 */
export const recordSeed = async (
  { kubernetes, clock, output: given, present, shoots, ...options }: RecordOptions,
  signal: AbortSignal,
): Promise<RecordingEnd> => {
  const ended = followSignal(signal)
  const end: { full?: true } = {}
  const lineOf = (entry: JournalEntry) => `${JSON.stringify(entry)}\n`
  const output = limitedOutput(given, options.mostBytes ?? Number.POSITIVE_INFINITY, {
    full: () => {
      end.full = true
      ended.abort()
    },
    lastLine: () =>
      lineOf({
        type: 'gap',
        at: formatMilliseconds(clock.now()),
        why: 'the recording ended, because the journal has its maximum size',
      }),
  })
  const tally = createTally()
  const write = (line: string): void => {
    tally.count(line)
    output.write(line)
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
    secrets: {
      add: value => search.add({ value: Buffer.from(value).toString('base64') }),
      isIn: text => search.replace(text) !== text,
      redact: clean,
    },
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
    ...(present && {
      before: {
        ids: present.ids,
        gone: (at: string, id: string) => write(lineOf({ type: 'object', at, id, gone: true })),
      },
    }),
  })
  if (present) recorder.gap('nothing was recorded', { at: Date.parse(present.until), until: clock.now() })

  const record = (object: KubernetesObject) => recorder.object(object)
  const selection = createSelection(shoots, record)
  const isSelected = (entry: JournalEntry): boolean =>
    // An earlier recording has it.
    entry.type === 'gap' ||
    ((present === undefined || entry.at > present.until) && selection.id(subjectOf(entry)))
  const follow = {
    kubernetes,
    clock,
    recorder,
    isSelected: selection.object,
    pollMs: options.pollMs ?? 10_000,
    listQueue: createListQueue(clock),
  }
  const work = followedKinds(shoots).map(followed => followKind(followed, follow, ended.signal))
  if (options.tap) work.push(options.tap(recorder, isSelected, ended.signal))
  await Promise.all(work)
  await recorder.written()
  await output.flushed()
  return { ...tally.result(), bytes: output.size(), ...end }
}

/** Returns the id of the object of an event or a step. A gap concerns all. */
const subjectOf = (entry: JournalEntry): string => {
  if (entry.type === 'step') return entry.object
  if (entry.type !== 'event') return ''
  const { kind, subject } = entry.event
  return `${kind} ${subject}`
}

/** Returns the lists to follow: each kind once for all shoots, or in the namespace of each chosen one. */
const followedKinds = (shoots: readonly string[] | undefined): readonly FollowedKind[] =>
  recordedKinds.flatMap((recorded): FollowedKind[] => {
    if (shoots === undefined) return [recorded]
    if (recorded.resource.namespaced) return shoots.map(namespace => ({ ...recorded, namespace }))
    if (recorded.kind !== 'Cluster') return [recorded]
    return shoots.map(name => ({ ...recorded, fieldSelector: `metadata.name=${name}` }))
  })
