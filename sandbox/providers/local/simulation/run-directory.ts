import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns a function that empties one directory of this process for each run. It is deleted when the process ends. */
export const runDirectory = (): (() => string) => {
  const directory = mkdtempSync(join(tmpdir(), 'trellis-backups-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  return () => {
    remove()
    mkdirSync(directory)
    return directory
  }
}
