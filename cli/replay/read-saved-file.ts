import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { parsedJson } from '../../shared/decode/record-of.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { MalformedEventError } from '../../shared/events/events.ts'
import { readInput } from '../read-input.ts'
import { isJournal, type PlayableJournal, readPlayableJournal } from './journal/playable-journal.ts'
import type { RecordedStep } from './journal/recorded-step.ts'
import { readSavedEvent } from './saved-event.ts'

/** The events of one file, in order. */
export interface EventFile {
  /** The given path; `stdin` for `-`. */
  readonly file: string
  readonly events: readonly ExtensionEvent[]
  /** The steps of the events, if the file is a journal. */
  readonly steps?: readonly PlayableStep[]
}

/** A step whose event can be replayed. */
export type PlayableStep = RecordedStep & { readonly event: ExtensionEvent }

/** The saved AdmissionReviews of one file, in order. */
export interface ReviewFile {
  readonly file: string
  readonly reviews: readonly Document[]
}

/**
 * Reads a file of saved events or AdmissionReviews or a journal, or standard input for `-`. Throws a `UsageError` that
 * names the file.
 */
export const readSavedFile = async (
  path: string,
  stdin: NodeJS.ReadableStream,
): Promise<EventFile | ReviewFile | PlayableJournal> => {
  const { file, content } = await readInput(path, stdin)
  if (isJournal(content)) return readPlayableJournal(file, content)
  const documents = parseDocuments(file, content)
  return documents.every(({ value }) => Object(value).kind === 'AdmissionReview')
    ? { file, reviews: documents }
    : { file, events: parseEvents(file, documents) }
}

/**
 * Parses saved CloudEvents in the JSON event format: one, an array, or one per line. Throws a `UsageError` with the
 * position and without any data.
 */
const parseEvents = (file: string, documents: readonly Document[]): readonly ExtensionEvent[] =>
  documents.map(({ where, value }) => {
    if (typeof value === 'object' && value !== null && !('specversion' in value))
      throw new UsageError(
        `${file}: ${where}: not a Trellis event: specversion: missing; ${expectedFor(value)}`,
      )
    try {
      return readSavedEvent(value)
    } catch (error) {
      if (error instanceof MalformedEventError)
        throw new UsageError(`${file}: ${where}: not a Trellis event: ${error.message}`)
      throw error
    }
  })

const parseDocuments = (file: string, content: string): readonly Document[] => {
  if (content.trim() === '') throw new UsageError(`${file}: contains no event`)
  const documents = documentsOf(file, content)
  if (documents.length === 0) throw new UsageError(`${file}: contains no event`)
  return documents
}

/** Returns the expected input for JSON that is no CloudEvent: its first unknown member would not help the user. */
const expectedFor = (value: object): string =>
  'apiVersion' in value && 'kind' in value
    ? 'this is a Kubernetes object; use trellis plan for it'
    : 'expected a CloudEvent in structured JSON, such as test/events/dnsrecord-create.json'

/** One JSON document of a file, and its position. */
export interface Document {
  readonly where: string
  readonly value: unknown
}

const documentsOf = (file: string, content: string): readonly Document[] => {
  const whole = parsedJson(content)
  if (whole !== undefined)
    return Array.isArray(whole)
      ? whole.map((value, index) => ({ where: `event ${index + 1}`, value }))
      : [{ where: 'the event', value: whole }]
  const lines = content
    .split('\n')
    .map((line, index) => ({
      where: `line ${index + 1}`,
      value: parsedJson(line),
      empty: line.trim() === '',
    }))
    .filter(({ empty }) => !empty)
  if (lines[0]?.value === undefined)
    throw new UsageError(`${file}: neither JSON nor JSON lines; expected CloudEvents in structured JSON`)
  const broken = lines.find(({ value }) => value === undefined)
  if (broken !== undefined) throw new UsageError(`${file}: ${broken.where}: not valid JSON`)
  return lines.map(({ where, value }) => ({ where, value }))
}
