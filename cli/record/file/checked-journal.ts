import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { type JournalHeader, journalReader } from '../../../shared/journal/journal.ts'

/** The end of a journal that is continued. */
export interface PresentJournal {
  /** In bytes. */
  readonly size: number
  /** The objects that exist at its end. */
  readonly ids: ReadonlySet<string>
  /** The time of its last entry. */
  readonly until: string
  /** The time of its last event or step, by the clock of the bridge; '' without any. */
  readonly bridgeUntil: string
}

/**
 * Reads a file to which a recording of these shoots (undefined: all) is added. Returns undefined for an empty file and
 * for a device. Throws a `UsageError` if the file has other content, which is never changed.
 */
export const checkedJournal = async (
  path: string,
  shoots: readonly string[] | undefined,
): Promise<PresentJournal | undefined> => {
  const size = await sizeOf(path)
  if (size === 0) return undefined
  const ids = new Set<string>()
  let until = ''
  let bridgeUntil = ''
  const reader = journalReader(
    entry => {
      until = entry.at
      if ((entry.type === 'event' || entry.type === 'step') && entry.at > bridgeUntil) bridgeUntil = entry.at
      if (entry.type !== 'object') return
      if (entry.gone) ids.delete(entry.id)
      else ids.add(entry.id)
    },
    { total: Number.POSITIVE_INFINITY },
  )
  let last = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    last = chunk
    reader.push(chunk)
    if (reader.isDone()) break
  }
  const { header, problems } = reader.end()
  if (header === undefined) throw otherContent(path, problems[0] ?? 'it has no header')
  if (!last.endsWith('\n'))
    throw new UsageError(
      `${path} ends within a line, perhaps because its recording was killed. Nothing was added. Choose another file, or remove the last line`,
    )
  checkShoots(path, header, shoots)
  return { size, ids, until: until || header.at, bridgeUntil }
}

/** The first line of a recording by an earlier version is a CloudEvent. */
const otherContent = (path: string, why: string): UsageError =>
  new UsageError(
    `${path}: nothing was added, because the file has other content: ${why}. Choose another file. (Files of events from earlier versions can still be replayed.)`,
  )

const checkShoots = (path: string, header: JournalHeader, shoots: readonly string[] | undefined): void => {
  const textOf = (names: readonly string[] | undefined) => names?.toSorted().join(', ') ?? 'all shoots'
  if (textOf(header.shoots) !== textOf(shoots))
    throw new UsageError(
      `${path} records ${textOf(header.shoots)}, not ${textOf(shoots)}. Nothing was added. Choose another file`,
    )
}

/** Returns 0 also for a device, such as /dev/null. */
const sizeOf = async (path: string): Promise<number> => {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const stat = await file.stat()
    if (stat.isDirectory()) throw new UsageError(`${path}: cannot be written: it is a folder`)
    return stat.isFile() ? stat.size : 0
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 0
    throw new UsageError(`${path}: cannot be read (${code})`)
  } finally {
    await file?.close()
  }
}
