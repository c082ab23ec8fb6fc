import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { functionManifest, isMadeManifest } from '../function-manifest.ts'
import type { ManifestFiles } from './manifest-files.ts'

export const writeFiles = async (folder: string, files: ManifestFiles): Promise<void> => {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/**
 * Writes `<name>.yaml` for each function into a folder and deletes the files of removed functions. Ignores files that
 * were not generated.
 */
export const writeManifests = async (
  folder: string,
  functions: readonly FunctionDefinition[],
): Promise<void> => {
  await writeFiles(
    folder,
    new Map(functions.map(definition => [`${definition.name}.yaml`, functionManifest(definition)])),
  )
  await removeStale(folder, functions)
}

/** Deletes the files of removed functions. */
export const removeStale = async (
  folder: string,
  functions: readonly Pick<FunctionDefinition, 'name'>[],
): Promise<void> => {
  for (const file of await staleManifests(folder, functions)) await rm(join(folder, file))
}

/** Returns the generated files of a folder without a definition. */
export const staleManifests = async (
  folder: string,
  functions: readonly Pick<FunctionDefinition, 'name'>[],
): Promise<readonly string[]> => {
  const names = new Set(functions.map(({ name }) => `${name}.yaml`))
  const others = (await readdir(folder)).filter(file => file.endsWith('.yaml') && !names.has(file))
  const made = await Promise.all(
    others.map(async file => isMadeManifest(await readFile(join(folder, file), 'utf8'))),
  )
  return others.filter((_, index) => made[index])
}
