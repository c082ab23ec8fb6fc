import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { outputOf } from '../../../build/programs/programs.ts'
import { repositoryRoot, trackedFiles } from '../../structure/repository-files.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A clean clone of this work tree whose last commit prepares a version. */
export interface ReleaseTree {
  readonly folder: string
  readonly revision: string
  /** Runs `make release` without make, which would install dependencies again. */
  readonly release: (...args: readonly string[]) => Promise<Ended>
  readonly remove: () => Promise<void>
}

/** Changes that are not committed are part of it. The dependencies are shared with this work tree. */
export const createReleaseTree = async (version: string): Promise<ReleaseTree> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-release-'))
  const git = (...args: readonly string[]) =>
    outputOf('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args])
  const node = async (...args: readonly string[]): Promise<Ended> => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { code, stdout, stderr }
  }
  for (const file of trackedFiles()) await copyFile(join(repositoryRoot, file), join(folder, file))
  await shareDependencies(folder)
  const changelog = join(folder, 'CHANGELOG.md')
  const [head = '', , ...older] = (await readFile(changelog, 'utf8')).split(/^(?=## )/m)
  // Right after a release there are no changes.
  const sections = [head, '## [Unreleased]\n\n### Added\n\n- A test.\n\n', ...older]
  await writeFile(changelog, sections.join(''))
  for (const [program = '', ...args] of [
    ['build/release/prepare.ts', version],
    ['cli/trellis.mjs', 'manifests'],
  ]) {
    const { code, stderr } = await node(join(folder, program), ...args)
    if (code !== 0) throw new Error(`${program} ended with exit code ${code}: ${stderr}`)
  }
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', `Release ${version}`)
  return {
    folder,
    revision: await git('rev-parse', 'HEAD'),
    release: (...args) => node(join(folder, 'build/release/main.ts'), ...args),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const copyFile = (from: string, to: string): Promise<void> => cp(from, to, { verbatimSymlinks: true })

/** Hard links, if the file systems are the same. The bundler would follow a symbolic link out of the tree. */
const shareDependencies = async (folder: string): Promise<void> => {
  const from = join(repositoryRoot, 'node_modules')
  await outputOf('cp', ['--archive', '--link', from, folder]).catch(async () => {
    await rm(join(folder, 'node_modules'), { recursive: true, force: true })
    await outputOf('cp', ['--archive', from, folder])
  })
}
