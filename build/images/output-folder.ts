import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'

/** Marks a folder that a command of Trellis has filled, so that a later one may replace its files. */
const mark = '.trellis-output'

/** Creates and marks a folder of `--out`. Throws a `UsageError` if it has files of the user: files, but no mark. */
export const claimFolder = async (folder: string): Promise<void> => {
  const names: readonly string[] = await readdir(folder).catch(() => [])
  if (names.length > 0 && !names.includes(mark))
    throw new UsageError(
      `${folder} has files that Trellis has not written, so they are not replaced. Choose another folder with --out`,
    )
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, mark), '')
}

/** The same, and removes the files of an earlier run. */
export const emptyFolder = async (folder: string): Promise<void> => {
  await claimFolder(folder)
  for (const name of await readdir(folder))
    if (name !== mark) await rm(join(folder, name), { recursive: true, force: true })
}
