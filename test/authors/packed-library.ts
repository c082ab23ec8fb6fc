import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../build/programs/programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const libraryName = '@trellis-gardener/trellis'

/** The packed library in a temporary folder, and projects that have it. */
export interface PackedLibrary {
  /** The folder of the temporary projects. */
  readonly folder: string
  /** The root of the unpacked library. */
  readonly library: string
  /** The file of `npm pack`. */
  readonly tarball: string
  /** Gives a project the library, what both declare, TypeScript and Node's types, as `npm install` does. */
  install(project: string): Promise<void>
  remove(): Promise<void>
}

export interface PackOptions {
  /** Packages that projects have in addition to the dependencies of the library. Default: none. */
  readonly beside?: readonly string[]
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Packs the library and unpacks the file. Dependencies are links to those of this repository, so no registry is needed;
 * a dependency that the package does not declare is missing.
 */
export const packLibrary = async ({ beside = [] }: PackOptions = {}): Promise<PackedLibrary> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-authors-'))
  const library = join(folder, 'library/node_modules', libraryName)
  await outputOf('npm', ['pack', '--pack-destination', folder], { cwd: root })
  const tarball = join(folder, (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? '')
  await mkdir(library, { recursive: true })
  await outputOf('tar', ['-xzf', tarball, '--strip-components=1', '-C', library])
  const { dependencies }: Manifest = JSON.parse(await readFile(join(library, 'package.json'), 'utf8'))
  const link = async (from: string, modules: string, name: string) => {
    const to = join(modules, name)
    await mkdir(dirname(to), { recursive: true })
    await symlink(from, to)
  }
  const repository = (name: string) => join(root, 'node_modules', name)
  for (const name of [...Object.keys(dependencies ?? {}), ...beside])
    await link(repository(name), join(folder, 'library/node_modules'), name)
  return {
    folder,
    library,
    tarball,
    install: async project => {
      const modules = join(project, 'node_modules')
      await link(library, modules, libraryName)
      const declared = existsSync(join(project, 'package.json'))
        ? Object.keys(
            (JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as Manifest).dependencies ??
              {},
          )
        : []
      for (const name of ['typescript', '@types/node', ...declared.filter(one => one !== libraryName)])
        await link(repository(name), modules, name)
      await link(join(library, 'cli/trellis.mjs'), join(modules, '.bin'), 'trellis')
      await link(repository('typescript/bin/tsc'), join(modules, '.bin'), 'tsc')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
