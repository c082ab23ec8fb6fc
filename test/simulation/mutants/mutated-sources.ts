import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Mutant } from './read-mutants.ts'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../..')

/** The sources of a mutant outside of the repository. Only changed files are copied. */
export interface MutatedSources {
  /** The environment in which Node loads the changed sources instead of the original ones. */
  readonly environment: NodeJS.ProcessEnv
  readonly remove: () => void
}

/** Rejects if the patch does not apply to the sources. */
export const mutateSources = async ({ name, path, files }: Mutant): Promise<MutatedSources> => {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-mutant-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    for (const file of files) cpSync(join(root, file), join(folder, file))
    const environment = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
    await promisify(execFile)('git', ['apply', path], { cwd: folder, env: environment })
  } catch (error) {
    remove()
    throw new Error(`${name} does not apply to the sources. Adapt its patch`, { cause: error })
  }
  const loader = pathToFileURL(join(import.meta.dirname, 'load-mutant.ts')).href
  return {
    environment: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${loader}`.trim(),
      MUTANT_FOLDER: folder,
      MUTANT_FILES: files.join(':'),
    },
    remove,
  }
}
