import { execFileSync } from 'node:child_process'

export interface SourceFacts {
  /** The commit, with `-dirty` if files differ from it. Absent without a repository. */
  readonly revision?: string
  /** RFC 3339, UTC: `SOURCE_DATE_EPOCH` (reproducible-builds.org), else the commit's time, else 1970. */
  readonly created: string
}

export const sourceFacts = (root: string, environment: NodeJS.ProcessEnv): SourceFacts => {
  const git = (...args: readonly string[]): string | undefined => {
    try {
      return execFileSync('git', ['-C', root, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    } catch {
      return undefined
    }
  }
  const revision = git('describe', '--always', '--dirty', '--abbrev=40', '--exclude=*')
  const seconds = environment.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct') || '0'
  if (!/^\d+$/.test(seconds))
    throw new Error(`SOURCE_DATE_EPOCH is ${JSON.stringify(seconds)}: expected seconds since 1970`)
  const created = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
  return revision === undefined ? { created } : { revision, created }
}
