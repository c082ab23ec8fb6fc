import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../terminal/exit-code.ts'
import type { ParsedState } from './provider.ts'

const codeOf = (error: unknown): string | undefined => (error as { readonly code?: string }).code

/**
 * Reads the state of a simulated cloud from a file; undefined if the file does not exist. `flag`: the flag with the
 * file.
 *
 * @throws UsageError if the file has other content
 */
export const readState = async (
  path: string,
  parse: (value: unknown) => ParsedState | Promise<ParsedState>,
  flag: string,
): Promise<{ readonly state: unknown } | undefined> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new UsageError(`cannot read ${path} (${codeOf(error)}). Choose another file with ${flag}`)
  }
  const parsed = await parse(json(text, path, flag))
  if (!parsed.ok) throw new UsageError(`${path} is not a saved state: ${parsed.problem}`)
  return parsed
}

const json = (text: string, path: string, flag: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not valid JSON. Choose another file with ${flag}`)
  }
}

/** Writes the state of a simulated cloud atomically. */
export const writeState = async (path: string, snapshot: object): Promise<void> => {
  const beside = `${path}.${process.pid}`
  try {
    await writeFile(beside, `${JSON.stringify(snapshot)}\n`, { mode: 0o600 })
    await rename(beside, path)
  } catch (error) {
    throw new Error(`cannot write ${path} (${codeOf(error)} in ${dirname(path)})`, { cause: error })
  }
}
