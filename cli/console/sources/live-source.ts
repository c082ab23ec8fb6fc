import { type Clock, followSignal } from '../../../shared/clock/clock.ts'
import { type JournalEntry, journalReader, journalVersion } from '../../../shared/journal/journal.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import type { BridgeSteps } from '../../observe/observe.ts'
import { recordEntry } from '../../record/bridges/follow-bridge.ts'
import { type RecordOptions, recordSeed } from '../../record/record-seed.ts'
import { recordedKinds } from '../../record/recorded-kinds.ts'
import type { ConsoleSource } from '../server/session.ts'

export interface LiveSourceOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly by: string
  readonly tap?: NonNullable<RecordOptions['tap']>
  /** Reads what the bridges remember, so that the console begins before it was opened. Never rejects. */
  readonly past?: (signal: AbortSignal) => Promise<Pick<BridgeSteps, 'steps' | 'events'>>
}

/** The longest wait for the past, in ms: the page is empty until then. */
const pastMs = 3_000

/** Records a seed into memory, as `trellis record` does into a file: without the values of Secrets. */
export const liveSource = async (
  { kubernetes, clock, by, tap, past: readPast }: LiveSourceOptions,
  signal: AbortSignal,
): Promise<ConsoleSource> => {
  const past = readPast === undefined ? [] : await pastEntries(readPast, clock, signal)
  const known = new Set(past.map(keyOf))
  const withPast: NonNullable<RecordOptions['tap']> = async (recorder, isSelected, until) => {
    // First, because an API server answers later: the entries of a shoot are in the order of time.
    for (const entry of past) if (isSelected(entry)) recordEntry(recorder, entry)
    await tap?.(recorder, entry => isSelected(entry) && !known.has(keyOf(entry)), until)
  }
  let waiting: JournalEntry[] = []
  let wake = () => {}
  let failure: { readonly error: unknown } | undefined
  let isEnded = false
  let isChanged = false
  const unlisted = new Set(recordedKinds.map(({ kind }) => kind))
  const listed = (kind: string) => {
    isChanged ||= unlisted.delete(kind)
    wake()
  }
  const reader = journalReader(entry => waiting.push(entry), { total: Number.POSITIVE_INFINITY })
  let size = 0
  const output: RecordOptions['output'] = {
    write: line => {
      size += line.length
      reader.push(line)
      wake()
    },
    flushed: async () => {},
    size: () => size,
    close: async () => {},
  }
  void recordSeed({ kubernetes, clock, output, by, listed, tap: withPast }, signal)
    .catch(error => {
      failure = { error }
    })
    .finally(() => {
      isEnded = true
      wake()
    })

  async function* entries(): AsyncGenerator<readonly JournalEntry[]> {
    while (true) {
      if (waiting.length > 0 || isChanged) {
        isChanged = false
        const batch = waiting
        waiting = []
        yield batch
      }
      if (waiting.length > 0 || isChanged) continue
      if (failure !== undefined) throw failure.error
      if (isEnded) return
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  return {
    header: {
      ...{ journal: journalVersion, by },
      at: new Date(Math.min(clock.now(), ...past.map(beginOf))).toISOString(),
    },
    live: true,
    unlisted: () => [...unlisted],
    entries: entries(),
  }
}

type PastEntry = BridgeSteps['steps'][number] | BridgeSteps['events'][number]

const beginOf = (entry: PastEntry): number => Date.parse(entry.type === 'step' ? entry.began : entry.at)

/** Returns what the bridges remember, in the order of time. Empty if they do not answer in time. */
const pastEntries = async (
  read: NonNullable<LiveSourceOptions['past']>,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly PastEntry[]> => {
  const limit = followSignal(signal)
  const disarm = clock.after(pastMs, limit.abort)
  try {
    const { steps, events } = await read(limit.signal)
    return [...steps, ...events].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  } finally {
    disarm()
    limit.release()
  }
}

/** The same for an entry in each reading of a bridge. */
const keyOf = (entry: JournalEntry): string => {
  if (entry.type === 'step') return `step ${entry.at} ${entry.event} ${entry.object} ${entry.began}`
  return entry.type === 'event' ? `event ${entry.at} ${entry.event.id}` : ''
}
