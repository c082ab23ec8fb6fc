import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of this repository, with a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the TypeScript and JavaScript sources of the repository: files that git tracks, and new files that it does not
 * ignore. Paths start at the root.
 */
export const repositorySources = (root: string = repositoryRoot): readonly string[] =>
  execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.mts', '*.mjs', '*.cjs'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
    .split('\0')
    .filter(file => file !== '' && !file.endsWith('.d.ts') && existsSync(join(root, file)))
