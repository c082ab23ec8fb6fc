import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../../shared/text/message-of.ts'
import { outputOf } from '../../programs/programs.ts'
import { changelogSections } from '../changelog/changelog.ts'

export interface ReleaseSource {
  /** The commit. */
  readonly revision: string
  /** The changes of the version, as Markdown. */
  readonly changes: string
}

/**
 * Checks that a folder can be released as a version: package.json has the version, CHANGELOG.md has its changes, and
 * all files are committed. Throws an Error with one line otherwise.
 */
export const checkSource = async (root: string, version: string): Promise<ReleaseSource> => {
  const { version: own } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const prepare = `Run make version VERSION=${version}, review the difference and commit it`
  if (own !== version) throw new Error(`package.json has version ${own}, not ${version}. ${prepare}`)
  const section = changelogSections(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).find(
    ({ name }) => name === version,
  )
  if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}]. ${prepare}`)
  const git = (...args: readonly string[]) =>
    outputOf('git', ['-C', root, ...args]).catch(cause => {
      const [reason = ''] = messageOf(cause).split('\n').slice(1)
      throw new Error(
        `cannot read the commit of ${root}: ${reason}. Release from a clone of the repository`,
        { cause },
      )
    })
  const changed = (await git('status', '--porcelain')).split('\n').filter(line => line !== '')
  if (changed.length > 0)
    throw new Error(
      `${changed.length} files differ from the commit (${filesOf(changed)}). Commit or stash them: a release is built from a commit`,
    )
  return { revision: await git('rev-parse', 'HEAD'), changes: section.text }
}

const shown = 3

const filesOf = (lines: readonly string[]): string => {
  const names = lines.slice(0, shown).map(line => line.replace(/^.{1,2} /, '').trim())
  return lines.length > shown ? `${names.join(', ')}, …` : names.join(', ')
}
