import { readdir } from 'node:fs/promises'
import { outputOf } from '../../programs/programs.ts'

/** Packs the library into a folder. Returns the name of its file. */
export const packLibrary = async (root: string, folder: string): Promise<string> => {
  const before = new Set(await readdir(folder))
  await outputOf('npm', ['pack', '--pack-destination', folder], { cwd: root })
  const file = (await readdir(folder)).find(name => name.endsWith('.tgz') && !before.has(name))
  if (file === undefined) throw new Error(`npm pack wrote no file into ${folder}`)
  return file
}
