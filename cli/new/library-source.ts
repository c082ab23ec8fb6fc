import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { packageRoot } from '../../build/project/package-root.ts'
import { libraryName } from '../../build/project/project.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'

/**
 * Returns the argument for `npm install` of this library in another folder: the same source as here, else the file of
 * `npm pack` in a clone. Throws a `UsageError` if there is none.
 */
export const librarySource = async (folder: string): Promise<string> => {
  const root = packageRoot()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const isClone = existsSync(join(root, 'cli/main.ts'))
  if (isClone) {
    const packed = join(root, `trellis-gardener-trellis-${version}.tgz`)
    if (existsSync(packed)) return `file:${relative(folder, packed)}`
    throw new UsageError(
      `a project outside the clone needs the packed library. Run "npm pack" in ${root} first, or choose the library with --library`,
    )
  }
  // <project>/node_modules/@trellis-gardener/trellis
  const project = resolve(root, '../../..')
  const installed = await dependencyIn(project)
  if (installed === undefined) return version
  if (!installed.startsWith('file:')) return installed
  return `file:${relative(folder, resolve(project, installed.slice('file:'.length)))}`
}

/** The library as a dependency of a new project, and the packed file that belongs into the project. */
export interface ProjectLibrary {
  /** `1.2.3`, or `file:vendor/trellis-gardener-trellis-1.2.3.tgz`. */
  readonly dependency: string
  readonly files: Readonly<Record<string, Uint8Array>>
}

/**
 * Copies a packed file into `vendor/` of the project: a path outside of it exists neither in a pushed repository nor in
 * its CI. Other sources are unchanged.
 *
 * @param source an argument for `npm install` in the root
 */
export const libraryInside = async (root: string, source: string): Promise<ProjectLibrary> => {
  const packed = resolve(root, source.replace(/^file:/, ''))
  const isPacked = packed.endsWith('.tgz') && existsSync(packed) && relative(root, packed).startsWith('..')
  if (!isPacked) return { dependency: source, files: {} }
  const file = `vendor/${basename(packed)}`
  return { dependency: `file:${file}`, files: { [file]: await readFile(packed) } }
}

const dependencyIn = async (project: string): Promise<string | undefined> => {
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      await readFile(join(project, 'package.json'), 'utf8'),
    )
    return dependencies[libraryName] ?? devDependencies[libraryName]
  } catch {
    return undefined
  }
}

/** Returns a project name, derived from the name of its folder. */
export const projectName = (folder: string): string =>
  (folder.split('/').at(-1) ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '') || 'functions'
