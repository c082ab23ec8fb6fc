/**
 * The journal of a seed: what an observer sees, as JSON lines. Browsers import `history.ts` alone, which needs neither
 * Node nor the schemas.
 */

// The format.

export {
  callSchema,
  type EventEntry,
  type JournalEntry,
  type JournalHeader,
  journalEntrySchema,
  journalHeaderSchema,
  journalVersion,
  type StepCall as Call,
  type StepEntry,
  type StepReport,
  stepReportSchema,
} from './entry.ts'
export { type Identified, objectIdOf, objectIdOfEvent, partsOfObjectId } from './object-id.ts'

// Reads a journal.

export {
  type Journal,
  type JournalReader,
  journalReader,
  readJournal,
} from './read-journal.ts'

// The states of all objects over time.

export { createHistory, type History, type Moment } from './history.ts'
export type { RecordedObject } from './object-track.ts'

// Writes a journal.

export { type JournalWriter, journalWriter } from './journal-writer.ts'
export { type SecretSearch, searchSecrets } from './secret-search.ts'
