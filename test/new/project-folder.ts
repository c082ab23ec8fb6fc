import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ProjectFolder {
  readonly folder: string
  remove(): Promise<void>
}

const inTemporaryFolder = async (fill: (folder: string) => Promise<void>): Promise<ProjectFolder> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-new-test-'))
  await fill(folder)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Creates a clone of this repository without functions, with its real folders. */
export const emptyClone = (): Promise<ProjectFolder> =>
  inTemporaryFolder(async folder => {
    for (const name of [
      'shared',
      'sandbox',
      'bridge',
      'terraform-free-infra',
      'node_modules',
      'package.json',
    ])
      await symlink(join(root, name), join(folder, name))
    for (const name of ['.gitignore', 'biome.json', 'tsconfig.json'])
      await writeFile(join(folder, name), await readFile(join(root, name)))
    await mkdir(join(folder, 'cli'))
    await symlink(join(root, 'cli/main.ts'), join(folder, 'cli/main.ts'))
    await mkdir(join(folder, 'functions'))
    await writeFile(join(folder, 'vitest.config.ts'), 'export default {}\n')
  })

/** Links the library into a project as if it were installed. Its entries are those of package.json for the sources. */
export const linkLibrary = async (folder: string): Promise<void> => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  }
  const entries = Object.entries(exports).flatMap(([name, entry]) => {
    if (typeof entry === 'string') return []
    const source = entry.default.replace('./dist/package/', './sources/').replace(/\.js$/, '.ts')
    return [[name, source] as const]
  })
  const installed = join(folder, 'node_modules/@trellis-gardener/trellis')
  await mkdir(installed, { recursive: true })
  await symlink(root, join(installed, 'sources'))
  await writeFile(
    join(installed, 'package.json'),
    JSON.stringify({ type: 'module', exports: Object.fromEntries(entries) }),
  )
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
}
