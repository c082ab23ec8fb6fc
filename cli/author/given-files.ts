import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'

const names = ['function.ts', 'function.mts', 'function.js', 'function.mjs']

/**
 * Returns the files of the functions that `--function` names: the `function.ts` of a folder, or else all in its
 * subfolders of two levels, as in `functions/`. Absolute, without duplicates. Throws a `UsageError` for a folder
 * without functions.
 */
export const givenFiles = (folders: readonly string[]): readonly string[] => [
  ...new Set(folders.flatMap(filesOf)),
]

const filesOf = (given: string): readonly string[] => {
  const path = resolve(given)
  if (!existsSync(path)) throw new UsageError(`--function ${given}: no such folder`)
  if (!statSync(path).isDirectory()) {
    if (names.includes(basename(path))) return [path]
    throw new UsageError(`--function ${given}: expected a folder with a function.ts`)
  }
  const files = below(path, 2)
  if (files.length > 0) return files
  throw new UsageError(`--function ${given}: found no function.ts in this folder or in its subfolders`)
}

const below = (folder: string, depth: number): readonly string[] => {
  const own = names.map(name => join(folder, name)).find(existsSync)
  if (own !== undefined) return [own]
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, name))
    .toSorted()
    .flatMap(inner => below(inner, depth - 1))
}
