import { constants, createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { formatSeconds, parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { parseDuration } from '../../shared/contract/duration.ts'
import { createHistory, type History, readJournal } from '../../shared/journal/journal.ts'
import { printable } from '../../shared/text/printable.ts'
import { chooseShoot } from './live/find-shoot.ts'
import type { SeedView } from './seed-view.ts'
import { shootsIn } from './shoot-of.ts'

export interface JournalFile {
  readonly history: History
  /** The time of the last entry. */
  readonly end: Timestamp
  /** Sentences about lines that could not be used. */
  readonly problems: readonly string[]
}

/** Reads the entries of a journal from a file, or from standard input for `-`. Throws a `UsageError` if it is none. */
export const readJournalEntries = async (path: string, stdin: NodeJS.ReadableStream) => {
  if (path !== '-') await readable(path)
  const source = path === '-' ? stdin : createReadStream(path)
  const { header, entries, problems } = await readJournal(source as AsyncIterable<Uint8Array>)
  if (header === undefined) throw new UsageError(`${path}: ${problems.map(printable).join('; ')}`)
  return { header, entries, problems }
}

/** Reads a journal as its history. Throws as `readJournalEntries` does. */
export const readJournalFile = async (path: string, stdin: NodeJS.ReadableStream): Promise<JournalFile> => {
  const { header, entries, problems } = await readJournalEntries(path, stdin)
  const history = createHistory(entries)
  const end = history.span()?.until ?? parseTimestamp(header.at) ?? 0
  return { history, end, problems }
}

const readable = async (path: string): Promise<void> => {
  try {
    await access(path, constants.R_OK)
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${(error as { readonly code?: string }).code})`)
  }
}

/**
 * Returns the namespace of a shoot that a view of a journal contains. Throws a `UsageError` that names the shoots which
 * it contains, and the lines that could not be used.
 */
export const shootInJournal = (given: string, view: SeedView): string => {
  const all = shootsIn(view)
  const known = all.length === 0 ? 'It contains no shoot then' : `It contains: ${all.slice(0, 10).join(', ')}`
  return chooseShoot(given, all, {
    place: `in the journal at ${formatSeconds(view.at)}`,
    advice: [known, ...view.missing.slice(0, 3)].map(printable).join('; '),
  })
}

/**
 * Parses a moment of a journal: `2026-11-21T12:03:10Z`, a time of the day of its end in UTC (`12:03:10`), or a duration
 * before its end (`-5m`). Throws a `UsageError` for another text.
 */
export const momentIn = (text: string, end: Timestamp): Timestamp => {
  const absolute = parseTimestamp(text)
  if (absolute !== undefined) return absolute
  if (/^\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?$/.test(text)) {
    const full = text.replace('Z', '')
    const day = new Date(end).toISOString().slice(0, 10)
    const found = parseTimestamp(`${day}T${full.length === 5 ? `${full}:00` : full}Z`)
    if (found !== undefined) return found
  }
  const before = text.startsWith('-') ? parseDuration(text.slice(1)) : undefined
  if (before !== undefined) return end - before
  throw new UsageError(
    `--at ${printable(text)}: expected a time such as 2026-11-21T12:03:10Z or 12:03:10, or a duration before the end of the journal such as -5m`,
  )
}
