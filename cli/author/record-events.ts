import { appendFile, readFile } from 'node:fs/promises'
import { type BrokeredEvent, writeMessage } from '../../sandbox/knative/knative.ts'
import type { SeedEvent } from '../../sandbox/seed/seed.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { type ExtensionEvent, eventJson, parseEvent } from '../../shared/events/events.ts'

/** A file of events, one on each line, as `trellis replay` reads them. */
export interface EventRecord {
  /**
   * Writes an event of the broker the first time it arrives. Health checks are left out, because they do not contain
   * their object.
   */
  readonly observe: (event: SeedEvent) => void
  /** Resolves when all events are written; rejects if a write has failed. */
  readonly close: () => Promise<void>
}

/** The number of remembered ids: the bridge sends an event again with the same id. */
const mostIds = 10_000

/**
 * Appends to a file, and creates it if it does not exist. Throws a `UsageError` if the file cannot be written or has
 * other content, which is not changed.
 */
export const recordEvents = async (path: string): Promise<EventRecord> => {
  await checkRecord(path)
  const seen = new Set<string>()
  let written: Promise<void> = Promise.resolve()
  const note = (event: BrokeredEvent): void => {
    const saved = read(event)
    if (saved === undefined || saved.operation === 'healthcheck' || seen.has(saved.id)) return
    const [oldest] = seen
    if (seen.size === mostIds && oldest !== undefined) seen.delete(oldest)
    seen.add(saved.id)
    const line = `${JSON.stringify(eventJson(saved))}\n`
    written = written.then(() => appendFile(path, line))
    // The error is reported at the end.
    written.catch(() => {})
  }
  return {
    observe: event => {
      if (event.part === 'broker' && event.event.kind === 'received') note(event.event.event)
    },
    close: () => written,
  }
}

/** Undefined: the event is not from this system; any client may send one to the broker. */
const read = (event: BrokeredEvent): ExtensionEvent | undefined => {
  try {
    const { headers, body } = writeMessage(event)
    return parseEvent(headers, body)
  } catch {
    return undefined
  }
}

const checkRecord = async (path: string): Promise<void> => {
  const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new UsageError(`--record ${path}: cannot write the file (${error.code})`)
  })
  const isRecord = present
    .split('\n')
    .filter(line => line.trim() !== '')
    .every(isEvent)
  if (!isRecord || (present !== '' && !present.endsWith('\n')))
    throw new UsageError(
      `--record ${path}: the file holds something other than events, one on each line. Choose another file`,
    )
  await appendFile(path, '').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--record ${path}: cannot write the file (${error.code})`)
  })
}

const isEvent = (line: string): boolean => {
  try {
    return Object(JSON.parse(line)).specversion !== undefined
  } catch {
    return false
  }
}
