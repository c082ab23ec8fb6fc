import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'
import { functionManifest, isMadeManifest } from './function-manifest.ts'

/**
 * Writes `<name>.yaml` for each function into a folder, and removes those of functions that are no more. A file that was
 * not made from a definition is left alone.
 */
export const writeManifests = async (
  folder: string,
  functions: readonly FunctionDefinition[],
): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const definition of functions)
    await writeFile(join(folder, `${definition.name}.yaml`), functionManifest(definition))
  for (const file of await staleManifests(folder, functions)) await rm(join(folder, file))
}

/** The files of a folder that were made from a definition that is no more. */
export const staleManifests = async (
  folder: string,
  functions: readonly FunctionDefinition[],
): Promise<readonly string[]> => {
  const names = new Set(functions.map(({ name }) => `${name}.yaml`))
  const others = (await readdir(folder)).filter(file => file.endsWith('.yaml') && !names.has(file))
  const made = await Promise.all(
    others.map(async file => isMadeManifest(await readFile(join(folder, file), 'utf8'))),
  )
  return others.filter((_, index) => made[index])
}
