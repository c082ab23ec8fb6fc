import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from '../sandbox/terminal/exit-code.ts'

/** The text of a file, and its name for messages: the given path, or `stdin`. */
export interface GivenText {
  readonly file: string
  readonly content: string
}

/** Reads a file, or standard input for `-`. Throws a `UsageError` for a file that cannot be read. */
export const readInput = async (path: string, stdin: NodeJS.ReadableStream): Promise<GivenText> => {
  if (path === '-') return { file: 'stdin', content: await text(stdin) }
  try {
    return { file: path, content: await readFile(path, 'utf8') }
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${(error as { readonly code?: string }).code})`)
  }
}
