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
import type { SecretSearch } from './secret-search.ts'

export interface JournalWriterOptions {
  readonly header: Omit<JournalHeader, 'journal'>
  /** Receives each line with its line break, and its value. */
  readonly write: (line: string, value: JournalHeader | JournalEntry) => void
  /** The known secrets. Each line is searched for them. */
  readonly secrets: SecretSearch
  /** The ids of the objects at the end of a journal that is continued. Their first entries are whole. */
  readonly present?: Iterable<string>
}

/** Writes the lines of a journal in the order of its calls. Times are RFC 3339 with milliseconds. */
export interface JournalWriter {
  /**
   * Writes an object as it is now: whole the first time, then the difference. Ignores a Secret and an equal object. The
   * caller removes fields that a journal must not contain.
   */
  object(at: string, object: KubernetesObject): void
  /** Writes that an object was deleted. Ignores an object that the journal does not contain. */
  gone(at: string, id: string): void
  /** The attributes of the event. Its data is never written. */
  event(at: string, event: EventEntry['event']): void
  step(at: string, report: StepReport): void
  gap(at: string, why: string, until?: string): void
}

/** Writes the header at once. */
export const journalWriter = ({
  header,
  write,
  secrets,
  present = [],
}: JournalWriterOptions): JournalWriter => {
  /** The objects of the journal as last written. Undefined: the next entry is the whole object. */
  const written = new Map<string, KubernetesObject | undefined>()
  for (const id of present) written.set(id, undefined)

  /** Returns the reason if the value cannot be written. */
  const writeLine = (given: JournalHeader | JournalEntry): string | undefined => {
    let value = given
    let line = JSON.stringify(value)
    if (secrets.isIn(line)) {
      value = secrets.redact(value)
      line = JSON.stringify(value)
    }
    // A secret may lie across several values.
    if (secrets.isIn(line)) return 'it contains a secret'
    if (line.length > mostOfLine) return `it is longer than ${mostOfLine} characters`
    write(`${line}\n`, value)
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
    else if (written.has(entry.id)) written.set(entry.id, undefined)
  }

  writeLine({ journal: journalVersion, ...header })
  return {
    object: (at, object) => {
      if (object.kind === 'Secret') return
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
