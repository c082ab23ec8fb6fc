import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { libraryName } from '../../build/project/project.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'

/** The part of a package.json that identifies the project. */
export interface ProjectManifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export type NewPlace =
  /** A clone of this repository: `functions/` of its root. */
  | { readonly kind: 'clone'; readonly root: string }
  /** A project with functions: `functions/` of its root; no other files are changed. */
  | { readonly kind: 'project'; readonly root: string }
  /** An empty or missing folder, possibly with the library: a whole project. */
  | { readonly kind: 'empty'; readonly root: string; readonly manifest?: ProjectManifest }

/** The entries of a folder that counts as empty: those that git and `npm install` of the library create. */
const ofTools = new Set(['.git', 'node_modules', 'package.json', 'package-lock.json'])

/**
 * Returns the place of a new function: the clone or project that contains the folder, or the folder itself if it is
 * empty. Throws a `UsageError` for a folder with other files.
 *
 * @param asked the given folder, and no other; absent: from `here` upwards
 */
export const findPlace = async (here: string, asked?: string): Promise<NewPlace> => {
  const folder = resolve(here, asked ?? '.')
  const entries = await entriesOf(folder)
  const manifest = await manifestIn(folder)
  const onlyTools = entries.every(name => ofTools.has(name))
  if (manifest === undefined && onlyTools && asked !== undefined) return { kind: 'empty', root: folder }
  for (const root of asked === undefined ? upwards(folder) : [folder]) {
    const found = await manifestIn(root)
    if (found === undefined) continue
    if (found.name === libraryName && existsSync(join(root, 'cli/main.ts'))) return { kind: 'clone', root }
    if (root === folder && onlyTools && hasOnlyDependencies(found))
      return { kind: 'empty', root, manifest: found }
    if (usesLibrary(found)) return { kind: 'project', root }
    // The nearest one wins.
    break
  }
  if (manifest === undefined && onlyTools) return { kind: 'empty', root: folder }
  throw new UsageError(
    `${folder} is not empty and not a project that depends on ${libraryName}. Use an empty folder, or choose one with --dir`,
  )
}

export const upwards = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...upwards(dirname(folder))]

export const usesLibrary = ({ dependencies = {}, devDependencies = {} }: ProjectManifest): boolean =>
  libraryName in dependencies || libraryName in devDependencies

/** As `npm install` creates it in an empty folder. */
const hasOnlyDependencies = (manifest: ProjectManifest): boolean =>
  usesLibrary(manifest) &&
  Object.keys(manifest).every(key => key === 'dependencies' || key === 'devDependencies')

const entriesOf = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code === 'ENOENT') return []
    throw new UsageError(`cannot use ${folder} (${code})`)
  }
}

/** Returns the package.json of a folder. Throws a `UsageError` if it is invalid. */
export const manifestIn = async (folder: string): Promise<ProjectManifest | undefined> => {
  const file = join(folder, 'package.json')
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    return Object(JSON.parse(text)) as ProjectManifest
  } catch {
    throw new UsageError(`${file} is not valid JSON`)
  }
}
