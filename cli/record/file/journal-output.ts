import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'

/** Receives the lines of a journal. */
export interface JournalOutput {
  write(line: string): void
  /** Resolves when all lines are written, or enough of them for a pipe. Rejects if the output fails. */
  flushed(): Promise<void>
  /** The size of the journal in bytes, with the lines that are not written yet. */
  size(): number
  close(): Promise<void>
}

/**
 * Appends to a file, and creates it if it does not exist. After a failed write, for instance on a full disk, removes
 * the incomplete line. Throws a `UsageError` if the file cannot be opened.
 */
export const fileOutput = async (path: string, present = 0): Promise<JournalOutput> => {
  const file = await open(path, 'a').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: cannot be written (${error.code})`)
  })
  let size = present
  let written = present
  let lines: string[] = []
  return {
    write: line => {
      size += Buffer.byteLength(line)
      lines.push(line)
    },
    flushed: async () => {
      if (lines.length === 0) return
      const bytes = Buffer.from(lines.join(''))
      lines = []
      try {
        await file.appendFile(bytes)
        written += bytes.length
      } catch (error) {
        // A device cannot be truncated.
        await file.truncate(written).catch(() => {})
        throw new Error(
          `cannot write ${path} (${(error as NodeJS.ErrnoException).code}). It ends with the last complete entry`,
          { cause: error },
        )
      }
    },
    size: () => size,
    close: () => file.close(),
  }
}

/** Writes to standard output, and waits while its reader is slow. */
export const streamOutput = (stream: NodeJS.WritableStream): JournalOutput => {
  let size = 0
  let isFull = false
  return {
    write: line => {
      size += Buffer.byteLength(line)
      isFull = !stream.write(line)
    },
    flushed: async () => {
      if (!isFull) return
      await once(stream, 'drain')
      isFull = false
    },
    size: () => size,
    close: async () => {},
  }
}
