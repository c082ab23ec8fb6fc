import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'

/** Receives the lines of a journal. */
export interface JournalOutput {
  write(line: string): void
  /** Resolves when all lines are written, or enough of them for a pipe. Rejects if the output fails. */
  flushed(): Promise<void>
  /** The size of the journal in bytes. */
  size(): number
  close(): Promise<void>
}

/**
 * Appends to a file, and creates it if it does not exist. After a failed write, for instance on a full disk, removes the
 * incomplete line. Throws a `UsageError` if the file cannot be opened.
 */
export const fileOutput = async (path: string, present = 0): Promise<JournalOutput> => {
  const file = await open(path, 'a').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: cannot be written (${error.code})`)
  })
  let size = present
  let lines: string[] = []
  return {
    write: line => void lines.push(line),
    flushed: async () => {
      if (lines.length === 0) return
      const bytes = Buffer.from(lines.join(''))
      lines = []
      try {
        await file.appendFile(bytes)
        size += bytes.length
      } catch (error) {
        // Not for a device.
        await file.truncate(size).catch(() => {})
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

/**
 * Passes on lines up to a size in bytes. Then calls `full` once, writes the line from `lastLine`, and ignores the rest.
 */
export const limitedOutput = (
  output: JournalOutput,
  most: number,
  { full, lastLine }: { readonly full: () => void; readonly lastLine: () => string },
): JournalOutput => {
  let waiting = 0
  let isFull = false
  return {
    ...output,
    write: line => {
      if (isFull) return
      const bytes = Buffer.byteLength(line)
      isFull = output.size() + waiting + bytes + reserve > most
      if (!isFull) {
        waiting += bytes
        return output.write(line)
      }
      output.write(lastLine())
      full()
    },
    flushed: async () => {
      await output.flushed()
      waiting = 0
    },
  }
}

/** For the last line. */
const reserve = 512
