import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { outputOf } from '../../programs/programs.ts'
import { changelogProblems, changelogSections, isVersion, withRelease } from '../changelog/changelog.ts'

/**
 * Sets the version of package.json, of the lockfile and in the sample projects of authors, and makes the section
 * Unreleased of the changelog that of the version. A section that exists is retained. Throws an Error with one line if
 * the version or the changelog is invalid; then no file has changed.
 */
export const prepareVersion = async (root: string, version: string, date: string): Promise<void> => {
  if (!isVersion(version))
    throw new Error(
      `VERSION is ${JSON.stringify(version)}: expected a semantic version, such as 1.2.3 or 1.2.3-rc.1`,
    )
  const file = join(root, 'CHANGELOG.md')
  const before = await readFile(file, 'utf8')
  const isThere = changelogSections(before).some(({ name }) => name === version)
  const after = isThere ? before : withRelease(before, version, date)
  const [problem] = changelogProblems(after)
  if (problem !== undefined) throw new Error(`CHANGELOG.md: ${problem}. Correct it first`)
  await outputOf('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: root })
  await writeFile(file, after)
  for await (const sample of glob('examples/authors/*/package.json', { cwd: root })) {
    const text = await readFile(join(root, sample), 'utf8')
    await writeFile(join(root, sample), text.replace(libraryVersion, `$1"${version}"`))
  }
}

/** Their own versions do not change. */
const libraryVersion = /("@trellis-gardener\/trellis": )"[^"]*"/
