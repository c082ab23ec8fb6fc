/** The journal of a seed: what an observer sees, as JSON lines. */

export {
  type Call,
  callSchema,
  type EventEntry,
  type GapEntry,
  type JournalEntry,
  type JournalHeader,
  journalEntrySchema,
  journalHeaderSchema,
  journalVersion,
  type ObjectEntry,
  type StepEntry,
  type StepReport,
  stepReportSchema,
} from './entry.ts'
