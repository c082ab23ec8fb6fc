import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MissingProgramError, outputOf, type ProgramPart, partOf } from '../../build/programs/programs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An external project outside the repository that has only the packed library. */
export interface InstalledLibrary {
  readonly folder: string
  /** The files in the package, relative to its root. */
  readonly packed: readonly string[]
  /** Runs a module of the project or of an installed package, with the Node of this process. */
  run(file: string, ...args: readonly string[]): Promise<string>
  remove(): Promise<void>
}

/** Additional packages, as installed by an author who writes TypeScript. */
const alsoInstalled = ['typescript', '@types/node']

/** Packs the library and installs the file. If npm cannot get the library's dependencies, the part is missing. */
export const installLibrary = (required: boolean): Promise<ProgramPart<InstalledLibrary>> =>
  partOf(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'trellis-library-'))
    const remove = () => rm(parent, { recursive: true, force: true })
    try {
      const packed = await outputOf('npm', ['pack', '--json', '--pack-destination', parent], { cwd: root })
      const tarball = (await readdir(parent)).find(name => name.endsWith('.tgz')) ?? ''
      const folder = join(parent, 'project')
      await mkdir(folder)
      await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
      await install(folder, [join(parent, tarball), ...(await versions())])
      return {
        folder,
        packed: filesOf(packed),
        run: (file, ...args) => outputOf(process.execPath, [file, ...args], { cwd: folder }),
        remove,
      }
    } catch (error) {
      await remove()
      throw error
    }
  }, required)

const versions = async (): Promise<readonly string[]> => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  const known: Readonly<Record<string, string>> = manifest.devDependencies
  return alsoInstalled.map(name => `${name}@${known[name]}`)
}

const install = async (folder: string, packages: readonly string[]): Promise<void> => {
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages]
  try {
    await outputOf('npm', args, { cwd: folder })
  } catch (error) {
    if (!/E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NOTCACHED)/.test(String(error))) throw error
    throw new MissingProgramError(
      'a registry of npm packages is not in reach, nor has npm the dependencies in its cache',
    )
  }
}

/** Parses the output of `npm pack --json`, which follows the output of the build. */
const filesOf = (output: string): readonly string[] => {
  const [{ files }] = JSON.parse(output.slice(output.search(/^\[/m))) as [
    { readonly files: readonly { readonly path: string }[] },
  ]
  return files.map(({ path }) => path)
}
