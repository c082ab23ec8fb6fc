import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository, type Version } from './versions.ts'

/** The sources of a version, with installed packages. */
export interface Checkout {
  readonly folder: string
  remove(): Promise<void>
}

const run = promisify(execFile)

/** Returns true if the git history here contains the version. A shallow clone does not. */
export const isInHistory = async ({ commit }: Version): Promise<boolean> => {
  if (commit === undefined) return true
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repository })
    return true
  } catch {
    return false
  }
}

/**
 * Writes the sources of a version into a temporary folder. They run with the packages of this repository: between the
 * versions, no package that a program of a seed imports has changed its version.
 */
export const checkOut = async ({ commit }: Version): Promise<Checkout> => {
  if (commit === undefined) return { folder: repository.replace(/\/$/, ''), remove: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'trellis-version-'))
  const archive = join(folder, 'sources.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: repository })
  await run('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  const packages = join(folder, 'node_modules')
  if (!existsSync(packages)) await symlink(join(repository, 'node_modules'), packages)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
