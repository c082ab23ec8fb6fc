import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Folders that act as mounted volumes. Deleted after each test. */
export const useVolumes = () => {
  const roots: string[] = []
  afterEach(async () => {
    for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true })
  })
  /** Creates a folder with these directories. */
  return async (...directories: readonly string[]): Promise<string> => {
    const root = await mkdtemp(join(tmpdir(), 'trellis-volume-'))
    roots.push(root)
    for (const directory of directories) await mkdir(join(root, directory), { recursive: true })
    return root
  }
}

/** Returns the directories below a folder, sorted, by their relative paths. */
export const directoriesIn = async (root: string): Promise<readonly string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
