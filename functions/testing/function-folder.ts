import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const library = new URL('../../', import.meta.url)

/** What a file of a function imports, by the path that the library has for it. */
export const libraryImport = (path: string): string => new URL(path, library).href

/** The head of a `function.ts`. */
export const imports = `
import { defineFunction } from '${libraryImport('shared/runtime/define-function.ts')}'
import { done } from '${libraryImport('shared/lifecycle/actuator.ts')}'
`.trimStart()

export interface FunctionFolder {
  readonly root: string
  readonly remove: () => Promise<void>
}

/** A folder of functions outside of the repository: its files by their paths, `acme/dnsrecord/function.ts`. */
export const functionFolder = async (files: Readonly<Record<string, string>>): Promise<FunctionFolder> => {
  const root = await mkdtemp(join(tmpdir(), 'trellis-functions-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return { root, remove: () => rm(root, { recursive: true }) }
}
