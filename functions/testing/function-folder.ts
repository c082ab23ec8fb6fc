import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const library = new URL('../../', import.meta.url)

/** An import line for a function's file, with the module's path in this repository. */
export const importLine = (names: string, path: string): string =>
  `import ${names} from ${JSON.stringify(new URL(path, library).href)}\n`

/** The first two lines of a `function.ts`. */
export const imports = `${importLine('{ defineFunction }', 'shared/runtime/define-function.ts')}${importLine('{ done }', 'shared/lifecycle/actuator.ts')}`

/** The import line for zod. */
export const importZod = importLine('* as z', 'node_modules/zod/index.js')

export interface FunctionFolder {
  readonly root: string
  readonly remove: () => Promise<void>
}

/** A folder of functions outside of the repository: files by their paths, `acme/dnsrecord/function.ts`. */
export const functionFolder = async (files: Readonly<Record<string, string>>): Promise<FunctionFolder> => {
  const root = await mkdtemp(join(tmpdir(), 'trellis-functions-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return { root, remove: () => rm(root, { recursive: true }) }
}
