import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes files into a folder, all of them or none: into a folder beside or inside of it first. One that is not there comes into being
 * in one go. Into one that is there the parts are moved one by one, and taken back if one of them cannot be.
 *
 * @param files texts by their paths in the folder
 * @param finish what is still to be done with them, by the folder that they are in meanwhile
 * @param replaced files of the folder that may be there already
 */
export const writeWhole = async (
  folder: string,
  files: Readonly<Record<string, string>>,
  finish: (inside: string) => Promise<void> = async () => {},
  replaced: readonly string[] = [],
): Promise<void> => {
  const isThere = existsSync(folder)
  const parent = isThere ? folder : dirname(folder)
  const made = await mkdir(parent, { recursive: true })
  const inside = await mkdtemp(join(parent, '.trellis-new-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(inside, path)), { recursive: true })
      await writeFile(join(inside, path), text)
    }
    await finish(inside)
    if (isThere) await moveInto(inside, folder, replaced)
    else {
      await chmod(inside, 0o755)
      await rename(inside, folder)
    }
  } catch (error) {
    // The folders above it that this call has made, and nobody has used since.
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
    // What makes it a project comes last: until then it is none.
    for (const name of (await readdir(inside)).toSorted((one, other) => rank(one) - rank(other))) {
      const target = join(folder, name)
      if (existsSync(target)) {
        if (!replaced.includes(name)) throw new Error(`${target} is there already`)
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

/** Removes folders that hold nothing but such folders. */
const removeEmpty = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) return
    await removeEmpty(join(folder, entry.name))
  }
  if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true })
}
