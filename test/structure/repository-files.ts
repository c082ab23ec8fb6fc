import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of this repository, with a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the TypeScript and JavaScript sources of the repository: files that git tracks, and new files that it does
 * not ignore. Paths start at the root.
 */
export const repositorySources = (root: string = repositoryRoot): readonly string[] =>
  filesOf(root, ['*.ts', '*.mts', '*.mjs', '*.cjs']).filter(file => !file.endsWith('.d.ts'))

/** Returns true for a source of an author's project. It is not part of the product and has the words of its cloud. */
export const isOfAuthor = (file: string): boolean => file.startsWith('examples/authors/')

/** Returns the same for other files: those that match a git pathspec, such as `*.md` in any folder. */
export const trackedFiles = (...pathspecs: readonly string[]): readonly string[] =>
  filesOf(repositoryRoot, pathspecs)

const filesOf = (root: string, pathspecs: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...pathspecs], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter(file => file !== '' && existsSync(join(root, file)))
