import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { libraryName } from './find-place.ts'

/** Where this file's package is: of the sources, or of what is installed (dist/package is a part of that). */
const packageRoot = (): string => {
  const near = fileURLToPath(new URL('../../', import.meta.url))
  return near.endsWith('/dist/package/') ? resolve(near, '../..') : resolve(near)
}

/**
 * What `npm install` takes for this library in another folder: what it was installed from here, else the file that `npm pack` has
 * made in a clone. Throws a `UsageError` where there is none.
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
      `a project outside of the clone needs the packed library: run "npm pack" in ${root} first, or say what to install with --library`,
    )
  }
  // <project>/node_modules/@trellis-gardener/trellis
  const project = resolve(root, '../../..')
  const installed = await dependencyIn(project)
  if (installed === undefined) return version
  if (!installed.startsWith('file:')) return installed
  return `file:${relative(folder, resolve(project, installed.slice('file:'.length)))}`
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

/** A name for a project, of that of its folder. */
export const projectName = (folder: string): string =>
  (folder.split('/').at(-1) ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '') || 'functions'
