import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../build/programs/programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const libraryName = '@trellis-gardener/trellis'

/** The packed library, unpacked, and projects that have it installed. */
export interface PackedLibrary {
  /** An empty folder for projects. */
  readonly folder: string
  /** Runs `trellis` in a folder, with the library that is installed there, else with the packed one itself. */
  trellis(folder: string, ...args: readonly string[]): Promise<string>
  /** Installs the library into a project, with the dependencies of this clone: no registry is needed. */
  install(project: string, without?: readonly string[]): Promise<void>
  remove(): Promise<void>
}

/** Packs the library as a release does, and unpacks the file. */
export const packLibrary = async (): Promise<PackedLibrary> => {
  const parent = await mkdtemp(join(tmpdir(), 'trellis-packed-'))
  await outputOf('npm', ['pack', '--pack-destination', parent], { cwd: root })
  const tarball = (await readdir(parent)).find(name => name.endsWith('.tgz')) ?? ''
  const folder = join(parent, 'projects')
  await mkdir(folder)
  const unpack = async (into: string): Promise<void> => {
    await mkdir(into, { recursive: true })
    await outputOf('tar', ['-xzf', join(parent, tarball), '-C', into, '--strip-components=1'])
  }
  const install = async (project: string, without: readonly string[] = []): Promise<void> => {
    const modules = join(project, 'node_modules')
    await unpack(join(modules, libraryName))
    for (const name of await installedNames(without)) {
      await mkdir(dirname(join(modules, name)), { recursive: true })
      await symlink(join(root, 'node_modules', name), join(modules, name))
    }
  }
  await install(folder)
  return {
    folder,
    install,
    trellis: async (cwd, ...args) => {
      const own = join(cwd, 'node_modules', libraryName, 'cli/trellis.mjs')
      const program = (await readFile(own).catch(() => undefined))
        ? own
        : join(folder, 'node_modules', libraryName, 'cli/trellis.mjs')
      return outputOf(process.execPath, [program, ...args], { cwd })
    },
    remove: () => rm(parent, { recursive: true, force: true }),
  }
}

/** Packages of this clone, those with a scope one by one. The library itself is a link to the clone's workspace. */
const installedNames = async (without: readonly string[]): Promise<readonly string[]> => {
  const modules = join(root, 'node_modules')
  const all = await Promise.all(
    (await readdir(modules))
      .filter(name => !name.startsWith('.'))
      .map(async name =>
        name.startsWith('@') ? (await readdir(join(modules, name))).map(inner => `${name}/${inner}`) : [name],
      ),
  )
  return all.flat().filter(name => !name.startsWith('@trellis-gardener/') && !without.includes(name))
}
