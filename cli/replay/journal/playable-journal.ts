import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { type JournalEntry, journalReader } from '../../../shared/journal/journal.ts'
import { journalSteps } from './journal-steps.ts'
import type { RecordedStep } from './recorded-step.ts'

/** The steps of a journal, in order. */
export interface PlayableJournal {
  readonly file: string
  readonly recorded: readonly RecordedStep[]
  /** Sentences about parts of the journal that could not be read. */
  readonly problems: readonly string[]
}

/** Returns true if a text begins like a journal of any version. */
export const isJournal = (content: string): boolean => /^\s*\{[^\n{[]*"journal"\s*:/.test(content)

/** Reads a journal. Throws a `UsageError` that names the file if its version is unknown. */
export const readPlayableJournal = (file: string, content: string): PlayableJournal => {
  const entries: JournalEntry[] = []
  const reader = journalReader(entry => entries.push(entry), { total: Number.POSITIVE_INFINITY })
  reader.push(content)
  const { header, problems } = reader.end()
  if (header === undefined) throw new UsageError(`${file}: ${problems.join('; ')}`)
  return { file, recorded: journalSteps({ header, entries, problems }), problems }
}
