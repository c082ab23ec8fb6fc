import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSource } from './check-source.ts'

let root = ''
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    encoding: 'utf8',
  })

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trellis-source-'))
  await writeFile(join(root, 'package.json'), '{"version":"1.2.3"}')
  await writeFile(
    join(root, 'CHANGELOG.md'),
    '## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n\n### Added\n\n- One.\n',
  )
})
afterEach(() => rm(root, { recursive: true }))

const commit = () => {
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'one')
}

test('a clean commit with its version and changes can be released', async () => {
  commit()
  expect(await checkSource(root, '1.2.3')).toEqual({
    revision: git('rev-parse', 'HEAD').trim(),
    changes: '### Added\n\n- One.',
  })
})

test('another version than that of package.json is refused', async () => {
  commit()
  await expect(checkSource(root, '1.2.4')).rejects.toThrow(
    'package.json has version 1.2.3, not 1.2.4. Run make version VERSION=1.2.4',
  )
})

test('a version without changes in the changelog is refused', async () => {
  await writeFile(join(root, 'CHANGELOG.md'), '## [Unreleased]\n')
  commit()
  await expect(checkSource(root, '1.2.3')).rejects.toThrow('CHANGELOG.md has no section [1.2.3]')
})

test('changed and new files are refused, by name', async () => {
  commit()
  await writeFile(join(root, 'package.json'), '{"version":"1.2.3","private":true}')
  await writeFile(join(root, 'new.txt'), '')
  await expect(checkSource(root, '1.2.3')).rejects.toThrow(
    '2 files differ from the commit (package.json, new.txt). Commit or stash them',
  )
})

test('a folder without a commit is refused', async () => {
  const refused = checkSource(root, '1.2.3')
  await expect(refused).rejects.toThrow(
    /^cannot read the commit of .*not a git repository.*a clone of the repository$/,
  )
})
