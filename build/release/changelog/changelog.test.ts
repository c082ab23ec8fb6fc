import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { changelogProblems, changelogSections, isVersion, withRelease } from './changelog.ts'

const change = '### Added\n\n- One.\n'
const changelog = `# Changelog

For operators.

## [Unreleased]

## [70.10.0] - 2026-03-01

${change}
## [70.9.0] - 2026-02-01

### Changed

- Two.

### Fixed

- Three.
`

test('the changelog of this repository has the form of Keep a Changelog', async () => {
  const text = await readFile(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  expect(changelogProblems(text)).toEqual([])
  expect(changelogSections(text).length).toBeGreaterThan(0)
})

test('a changelog has a section for each version, with its date and its changes', () => {
  expect(changelogProblems(changelog)).toEqual([])
  expect(changelogSections(changelog)).toEqual([
    { name: 'Unreleased', text: '' },
    { name: '70.10.0', date: '2026-03-01', text: change.trim() },
    { name: '70.9.0', date: '2026-02-01', text: '### Changed\n\n- Two.\n\n### Fixed\n\n- Three.' },
  ])
})

test('a release takes the changes of Unreleased, which is then empty', () => {
  const before = changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n${change}`)
  const after = withRelease(before, '70.11.0', '2026-04-01')
  expect(changelogProblems(after)).toEqual([])
  expect(changelogSections(after).slice(0, 2)).toEqual([
    { name: 'Unreleased', text: '' },
    { name: '70.11.0', date: '2026-04-01', text: change.trim() },
  ])
})

test.each([
  ['a heading without brackets', '## [70.9.0] - 2026-02-01', '## 70.9.0', '## 70.9.0: expected ## [1.2.3]'],
  ['no section for the next version', '## [Unreleased]\n', '', 'the first section is not ## [Unreleased]'],
  ['a version that is not semantic', '[70.10.0]', '[70.10]', '[70.10] is not a semantic version'],
  ['no date', '[70.10.0] - 2026-03-01', '[70.10.0]', '[70.10.0] has no date'],
  ['a date that does not exist', '2026-02-01', '2026-02-31', '[70.9.0] has no date'],
  ['no changes', change, '', '[70.10.0] has no changes'],
  ['an older version above', '[70.10.0]', '[70.8.0]', '[70.8.0] is above [70.9.0], but not newer'],
  [
    'a prerelease above its release',
    '[70.10.0]',
    '[70.9.0-rc.1]',
    '[70.9.0-rc.1] is above [70.9.0], but not newer',
  ],
  ['an earlier date above', '2026-03-01', '2026-01-01', 'but has an earlier date'],
  ['an unknown part', '### Added', '### News', '[70.10.0] has the unknown part News'],
  ['parts in another sequence', '### Fixed', '### Added', '[70.9.0] has its parts in another sequence'],
  ['a change without a part', '### Added\n\n', '', '[70.10.0] has a change outside of Added'],
])('a changelog with %s is refused', (_, found, instead, problem) => {
  expect(changelogProblems(changelog.replace(found, instead)).join('\n')).toContain(problem)
})

test.each(['0.0.70', '1.2.3-rc.1', '10.0.0-alpha-2.0'])('%s is a semantic version', text => {
  expect(isVersion(text)).toBe(true)
})

test.each([
  '',
  '1',
  '1.2',
  'v1.2.3',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3+5',
  '1.2.3\n',
  'latest',
])('%j is not a semantic version of a release', text => {
  expect(isVersion(text)).toBe(false)
})
