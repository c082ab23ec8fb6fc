import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareVersion } from './prepare-version.ts'

const changes = '### Added\n\n- One.\n'
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trellis-version-'))
  await writeFile(join(root, 'package.json'), '{"name":"trellis","version":"1.0.0"}')
  await writeFile(join(root, 'CHANGELOG.md'), `## [Unreleased]\n\n${changes}`)
})
afterEach(() => rm(root, { recursive: true }))

const read = (file: string) => readFile(join(root, file), 'utf8')

test('a version gets its number in package.json, and the changes of Unreleased', async () => {
  await prepareVersion(root, '1.1.0', '2026-01-31')
  expect(JSON.parse(await read('package.json'))).toMatchObject({ version: '1.1.0' })
  expect(await read('CHANGELOG.md')).toBe(`## [Unreleased]\n\n## [1.1.0] - 2026-01-31\n\n${changes}`)
})

test('the sample projects of authors get the library of the version', async () => {
  await mkdir(join(root, 'examples/authors/one'), { recursive: true })
  const sample = (library: string) =>
    `{"version":"0.0.1","dependencies":{"@trellis-gardener/trellis": "${library}"}}`
  await writeFile(join(root, 'examples/authors/one/package.json'), sample('1.0.0'))
  await prepareVersion(root, '1.1.0', '2026-01-31')
  expect(await read('examples/authors/one/package.json')).toBe(sample('1.1.0'))
})

test('a second run changes nothing', async () => {
  await prepareVersion(root, '1.1.0', '2026-01-31')
  const before = await read('CHANGELOG.md')
  await prepareVersion(root, '1.1.0', '2026-02-01')
  expect(await read('CHANGELOG.md')).toBe(before)
})

test.each([
  ['v1.1.0', changes, 'VERSION is "v1.1.0": expected a semantic version'],
  ['1.1.0', '', 'CHANGELOG.md: [1.1.0] has no changes. Correct it first'],
])(
  'the version %s with the changes %j is refused, and nothing is written',
  async (version, text, problem) => {
    await writeFile(join(root, 'CHANGELOG.md'), `## [Unreleased]\n\n${text}`)
    await expect(prepareVersion(root, version, '2026-01-31')).rejects.toThrow(problem)
    expect(JSON.parse(await read('package.json'))).toMatchObject({ version: '1.0.0' })
  },
)
