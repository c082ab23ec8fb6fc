import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repositoryRoot as root } from './repository-files.ts'

export interface Diagnostic {
  readonly category: string
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}

const plugin = 'shared/lifecycle/decide/pure.grit'

/** Returns what the linter of the repository reports for these files, which exist only here. */
export const lintOf = async (files: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-lint-'))
  try {
    await mkdir(join(folder, dirname(plugin)), { recursive: true })
    await cp(join(root, plugin), join(folder, plugin))
    const { $schema: _, vcs: __, ...config } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
    await writeFile(join(folder, 'biome.json'), JSON.stringify(config))
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    const args = ['lint', '--max-diagnostics=none', '--reporter=json', ...Object.keys(files)]
    const said = await new Promise<string>(resolve => {
      const biome = join(root, 'node_modules/.bin/biome')
      execFile(biome, args, { cwd: folder }, (_error, stdout) => resolve(stdout))
    })
    return (JSON.parse(said) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics
  } finally {
    await rm(folder, { recursive: true })
  }
}
