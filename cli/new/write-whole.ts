import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes all files into a folder, or none: first into a temporary folder beside or inside it. A missing folder is
 * created in one move. In an existing folder, the parts are moved one by one, and moved back if one fails.
 *
 * @param files contents by their paths in the folder
 * @param finish further work on the files, called with the temporary folder
 * @param replaced files of the folder that may exist
 */
export const writeWhole = async (
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  finish: (inside: string) => Promise<void> = async () => {},
  replaced: readonly string[] = [],
): Promise<void> => {
  const isThere = existsSync(folder)
  const parent = isThere ? folder : dirname(folder)
  const made = await mkdir(parent, { recursive: true })
  const inside = await mkdtemp(join(parent, '.trellis-new-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(inside, path)), { recursive: true })
      await writeFile(join(inside, path), content)
    }
    await finish(inside)
    if (isThere) await moveInto(inside, folder, replaced)
    else {
      await chmod(inside, 0o755)
      await rename(inside, folder)
    }
  } catch (error) {
    // Removes the parent folders that this call has created, if they are still empty.
    await rm(inside, { recursive: true, force: true })
    if (made !== undefined) await removeEmpty(made)
    throw error
  }
  await rm(inside, { recursive: true, force: true })
}

const rank = (name: string): number => (name === 'package.json' ? 1 : 0)

const moveInto = async (inside: string, folder: string, replaced: readonly string[]): Promise<void> => {
  const undo: (() => Promise<void>)[] = []
  try {
    // The files that make it a project are moved last.
    for (const name of (await readdir(inside)).toSorted((one, other) => rank(one) - rank(other))) {
      const target = join(folder, name)
      if (existsSync(target)) {
        if (!replaced.includes(name)) throw new Error(`${target} already exists`)
        const before = await readFile(target)
        undo.push(() => writeFile(target, before))
      } else undo.push(() => rm(target, { recursive: true, force: true }))
      await rename(join(inside, name), target)
    }
  } catch (error) {
    for (const step of undo.reverse()) await step()
    throw error
  }
}

/** Removes folders that contain only empty folders. */
const removeEmpty = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) return
    await removeEmpty(join(folder, entry.name))
  }
  if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true })
}
