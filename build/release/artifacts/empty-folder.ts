import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Marks a folder as that of a release, which a later one may remove. */
const marker = '.trellis-release'

/** Creates an empty folder for a release. Removes an earlier release there. Throws an Error if it has other files. */
export const emptyFolder = async (folder: string): Promise<void> => {
  const names: readonly string[] = await readdir(folder).catch(() => [])
  if (names.length > 0 && !names.includes(marker))
    throw new Error(`${folder} has files that are not of a release. Choose another folder with --out`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, marker), '')
}
