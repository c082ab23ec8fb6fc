import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Folders of a test file that stand for mounted volumes, and go after each test. */
export const useVolumes = () => {
  const roots: string[] = []
  afterEach(async () => {
    for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true })
  })
  /** A new one with these directories in it. */
  return async (...directories: readonly string[]): Promise<string> => {
    const root = await mkdtemp(join(tmpdir(), 'trellis-volume-'))
    roots.push(root)
    for (const directory of directories) await mkdir(join(root, directory), { recursive: true })
    return root
  }
}

/** The directories below a folder, in order, by their paths from there. */
export const directoriesIn = async (root: string): Promise<readonly string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
