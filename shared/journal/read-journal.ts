import type * as z from 'zod'
import { formatProblems, problemsOf, shown } from '../decode/problems.ts'
import { isRecord, parsedJson } from '../decode/record-of.ts'
import { messageOf } from '../text/message-of.ts'
import {
  type JournalEntry,
  type JournalHeader,
  journalEntrySchema,
  journalHeaderSchema,
  journalVersion,
} from './entry.ts'
import { isJournalEntry } from './is-journal-entry.ts'

/** A journal that was read. */
export interface Journal {
  /** Undefined if the text is not a journal of this version. Then there are no entries. */
  readonly header: JournalHeader | undefined
  readonly entries: readonly JournalEntry[]
  /** Sentences for the reader, such as `line 812 is incomplete: the journal ends at 2026-11-21T12:00:00.000Z`. */
  readonly problems: readonly string[]
}

export interface JournalLimits {
  /** Maximum characters of a line. Default: 1 MiB. */
  readonly line?: number
  /** Maximum length of the journal in characters or bytes. Default: 256 MiB. */
  readonly total?: number
}

/** Maximum length of a line in characters. A writer writes no longer one. */
export const mostOfLine = 1024 * 1024
const mostOfJournal = 256 * 1024 * 1024
/** More problems say nothing new. Their number is the last one. */
const mostProblems = 100

/** Reads a journal that arrives in pieces of any size. */
export interface JournalReader {
  push(chunk: string | Uint8Array): void
  /** Call it after the last piece. */
  end(): Omit<Journal, 'entries'>
  /** True if the rest need not be read: the text is not a journal, or it is too long. */
  isDone(): boolean
}

/**
 * Creates a reader that passes on each entry as soon as its line is complete. Broken lines and unknown types are
 * problems and do not end the journal.
 */
export const journalReader = (
  onEntry: (entry: JournalEntry) => void,
  { line: longest = mostOfLine, total = mostOfJournal }: JournalLimits = {},
): JournalReader => {
  const problems: string[] = []
  let header: JournalHeader | undefined
  let isDone = false
  let length = 0
  let lastAt: string | undefined
  let more = 0

  const problem = (text: string): void => {
    if (problems.length < mostProblems) problems.push(text)
    else more++
  }
  const refuse = (text: string): void => {
    problem(text)
    isDone = true
  }
  const endsAt = () => (lastAt === undefined ? 'before its first entry' : `at ${lastAt}`)

  const readLine = ({ text, number, isEnded }: ReadLine): void => {
    if (isDone || text?.trim() === '') return
    const value = text === undefined ? undefined : parsedJson(text)
    if (header === undefined) readHeader(value)
    else if (text === undefined)
      problem(`line ${number} is longer than ${longest} characters and is left out`)
    else if (value === undefined && isEnded) problem(`line ${number} is not JSON and is left out`)
    else if (value === undefined) problem(`line ${number} is incomplete: the journal ends ${endsAt()}`)
    else if (isJournalEntry(value)) {
      lastAt = value.at
      onEntry(value)
    } else if (!isSecondHeader(value)) problem(`line ${number} is left out: ${explain(value)}`)
  }

  const readHeader = (value: unknown): void => {
    const parsed = journalHeaderSchema.safeParse(value)
    if (parsed.success) header = parsed.data
    else refuse(headerProblem(value, parsed.error))
  }

  const lines = lineReader(longest, readLine)

  return {
    push: chunk => {
      if (isDone) return
      length += chunk.length
      if (length > total) {
        // A part of the last chunk may be within the limit. It is left out with the rest.
        refuse(
          `the journal is longer than ${total} bytes: what follows ${lastAt ?? 'its header'} is not read`,
        )
        return
      }
      lines.push(chunk)
    },
    end: () => {
      lines.end()
      if (header === undefined && problems.length === 0) problem('the journal is empty')
      return { header, problems: more === 0 ? problems : [...problems, `${more} more lines are left out`] }
    },
    isDone: () => isDone,
  }
}

/** Reads a whole journal. Never throws because of its content. A source that fails is a problem as well. */
export const readJournal = async (
  source: AsyncIterable<string | Uint8Array>,
  limits?: JournalLimits,
): Promise<Journal> => {
  const entries: JournalEntry[] = []
  const reader = journalReader(entry => entries.push(entry), limits)
  let failure: string[] = []
  try {
    for await (const chunk of source) {
      reader.push(chunk)
      if (reader.isDone()) break
    }
  } catch (error) {
    failure = [`the journal could not be read to its end: ${messageOf(error)}`]
  }
  const { header, problems } = reader.end()
  return { header, entries, problems: [...problems, ...failure] }
}

const headerProblem = (value: unknown, error: z.ZodError): string => {
  if (!isRecord(value) || !('journal' in value))
    return 'this is not a journal of Trellis: its first line is not a header with the field journal'
  return value.journal === journalVersion
    ? `the header of the journal is invalid: ${issues(error, value)}`
    : `the journal has version ${shown(value.journal)} of the format, and this program reads version ${journalVersion}. Use the version of Trellis that recorded it`
}

/** In two journals, one after the other. */
const isSecondHeader = (value: unknown): boolean => isRecord(value) && value.journal === journalVersion

const explain = (value: unknown): string => {
  const parsed = journalEntrySchema.safeParse(value)
  if (parsed.success) return 'it has too many levels'
  return isRecord(value) && typeof value.type === 'string' && !knownTypes.has(value.type)
    ? `this version does not know entries of type ${shown(value.type)}`
    : issues(parsed.error, value)
}

const knownTypes = new Set(['object', 'event', 'step', 'gap'])

const issues = (error: z.ZodError, value: unknown): string => formatProblems(problemsOf(error.issues, value))

/** A line of a text that arrives in pieces. */
interface ReadLine {
  /** Undefined if the line is too long. */
  readonly text: string | undefined
  /** From 1. */
  readonly number: number
  /** False for the last line if no line break ends it. */
  readonly isEnded: boolean
}

/** Splits pieces of text or UTF-8 into lines. Holds at most one line of the given length. */
const lineReader = (most: number, onLine: (line: ReadLine) => void) => {
  const decoder = new TextDecoder()
  let begun: string[] = []
  let length = 0
  let number = 1

  const add = (piece: string): void => {
    if (piece === '') return
    length += piece.length
    if (length > most) begun = []
    else begun.push(piece)
  }
  const finish = (isEnded: boolean): void => {
    const text = length > most ? undefined : begun.join('')
    begun = []
    length = 0
    onLine({ text, number, isEnded })
    number++
  }

  return {
    push: (chunk: string | Uint8Array): void => {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      let start = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        add(text.slice(start, end))
        finish(true)
        start = end + 1
      }
      add(text.slice(start))
    },
    end: (): void => {
      add(decoder.decode())
      if (length > 0) finish(false)
    },
  }
}
