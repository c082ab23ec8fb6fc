import type { Clock } from '../../../shared/clock/clock.ts'
import { type JournalEntry, journalReader, journalVersion } from '../../../shared/journal/journal.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { type RecordOptions, recordSeed } from '../../record/record-seed.ts'
import { recordedKinds } from '../../record/recorded-kinds.ts'
import type { ConsoleSource } from '../server/session.ts'

export interface LiveSourceOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly clock: Clock
  readonly by: string
  readonly tap?: NonNullable<RecordOptions['tap']>
}

/** Records a seed into memory, as `trellis record` does into a file: without the values of Secrets. */
export const liveSource = (
  { kubernetes, clock, by, tap }: LiveSourceOptions,
  signal: AbortSignal,
): ConsoleSource => {
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
  void recordSeed({ kubernetes, clock, output, by, listed, ...(tap && { tap }) }, signal)
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
    header: { journal: journalVersion, by, at: new Date(clock.now()).toISOString() },
    live: true,
    unlisted: () => [...unlisted],
    entries: entries(),
  }
}
