import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { replacement } from '../kubernetes/merge-patch.ts'
import {
  type EventEntry,
  type JournalEntry,
  type JournalHeader,
  journalVersion,
  type ObjectEntry,
  type StepReport,
} from './entry.ts'
import { objectIdOf } from './object-id.ts'
import { mostOfLine } from './read-journal.ts'
import type { SecretSearch } from './without-secrets.ts'
import { writtenObject } from './written-object.ts'

export interface JournalWriterOptions {
  readonly header: Omit<JournalHeader, 'journal'>
  /** Receives each line with its line break. */
  readonly write: (line: string) => void
  /** The known secrets. Each line is searched for them. */
  readonly secrets: SecretSearch
}

/** Writes the lines of a journal in the order of its calls. Times are RFC 3339 with milliseconds. */
export interface JournalWriter {
  /** Writes an object as it is now: whole the first time, then the difference. Ignores a Secret and an equal object. */
  object(at: string, object: KubernetesObject): void
  /** Writes that an object was deleted. Ignores an object that was not written. */
  gone(at: string, id: string): void
  /** The attributes of the event. Its data is never written. */
  event(at: string, event: EventEntry['event']): void
  step(at: string, report: StepReport): void
  gap(at: string, why: string, until?: string): void
}

/** Writes the header at once. */
export const journalWriter = ({ header, write, secrets }: JournalWriterOptions): JournalWriter => {
  const written = new Map<string, KubernetesObject>()

  /** Returns the reason if the value cannot be written. */
  const writeLine = (value: JournalHeader | JournalEntry): string | undefined => {
    let line = JSON.stringify(value)
    if (secrets.isIn(line)) line = JSON.stringify(secrets.redact(value))
    // A secret may lie across several values.
    if (secrets.isIn(line)) return 'it contains a secret'
    if (line.length > mostOfLine) return `it is longer than ${mostOfLine} characters`
    write(`${line}\n`)
    return undefined
  }
  const writeEntry = (entry: JournalEntry, what: string): boolean => {
    const reason = writeLine(entry)
    if (reason === undefined) return true
    writeLine({ type: 'gap', at: entry.at, why: `${what} is left out: ${reason}` })
    return false
  }
  const writeObject = (entry: ObjectEntry, object: KubernetesObject): void => {
    if (writeEntry(entry, `a change of ${entry.id}`)) written.set(entry.id, object)
    // The next change writes the whole object.
    else written.delete(entry.id)
  }

  writeLine({ journal: journalVersion, ...header })
  return {
    object: (at, given) => {
      const object = writtenObject(given)
      if (object === undefined) return
      const id = objectIdOf({ kind: object.kind, ...object.metadata })
      const before = written.get(id)
      const patch = before && (replacement(before, object) as ObjectEntry['patch'])
      if (before === undefined) writeObject({ type: 'object', at, id, object }, object)
      else if (patch !== undefined) writeObject({ type: 'object', at, id, patch }, object)
    },
    gone: (at, id) => {
      if (written.delete(id)) writeEntry({ type: 'object', at, id, gone: true }, `the deletion of ${id}`)
    },
    event: (at, { data: _, ...event }) => {
      writeEntry({ type: 'event', at, event: event as EventEntry['event'] }, 'an event')
    },
    step: (at, report) => {
      writeEntry({ ...report, type: 'step', at }, `a step of ${report.function}`)
    },
    gap: (at, why, until) => {
      writeEntry({ type: 'gap', at, ...(until !== undefined && { until }), why }, 'a gap')
    },
  }
}
