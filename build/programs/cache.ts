import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of artifacts that are built once for all work trees: `TRELLIS_CACHE`, or else the user's cache folder. */
export const cacheFolder = (environment: NodeJS.ProcessEnv): string =>
  join(
    environment.TRELLIS_CACHE || join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trellis'),
    'real',
  )

export const fingerprint = (...ingredients: readonly string[]): string =>
  createHash('sha256').update(ingredients.join('\0')).digest('hex').slice(0, 16)

/**
 * Creates a folder once: `make` fills an empty folder beside it, which is then renamed. An interrupted run leaves
 * nothing that looks complete. If two run at the same time, the first wins.
 */
export const madeOnce = async (folder: string, make: (into: string) => Promise<void>): Promise<string> => {
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    await make(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

const dayMs = 24 * 3_600_000

/**
 * Marks folders as used now, and removes other folders beside them that no process has used for a week. A folder that
 * changes with each source would otherwise fill the disk.
 */
export const retainUsed = async (folders: readonly string[], now = new Date()): Promise<void> => {
  for (const folder of folders) await utimes(folder, now, now)
  for (const parent of new Set(folders.map(folder => dirname(folder))))
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      const folder = join(parent, entry.name)
      if (!entry.isDirectory() || folders.includes(folder)) continue
      // Another process may remove it at the same time.
      const used = await stat(folder).catch(() => undefined)
      if (used !== undefined && now.getTime() - used.mtimeMs > 7 * dayMs)
        await rm(folder, { recursive: true, force: true })
    }
}
