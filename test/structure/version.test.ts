import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryRoot, trackedFiles } from './repository-files.ts'

const read = (file: string): string => readFileSync(`${repositoryRoot}${file}`, 'utf8')
const { version } = JSON.parse(read('package.json')) as { readonly version: string }

/** Generated files that repeat the version, each with the program that compares it. */
const compared = [
  // npm ci
  'package-lock.json',
  // knative/chart/chart.test.ts
  'knative/chart/trellis/Chart.yaml',
  // knative/files/manifest-files.test.ts
  'knative',
]

/** Files in which the same text is the version of something else, or of an earlier release. */
const others = [
  'CHANGELOG.md',
  'package.json',
  '*go.mod',
  '*go.sum',
  // The first version of an author's project, which `trellis new` writes.
  'cli/new',
  'docs/authors.md',
  'test/new/packed-project.deep.test.ts',
  'examples/authors/*/package*.json',
  // Versions of other programs.
  'test/real/openstack/python/requirements.txt',
]

test('the version is in package.json, and only generated files repeat it', () => {
  const text = new RegExp(`(?<![\\w.])v?${version.replaceAll('.', '\\.')}(?!\\.?\\d)`)
  const repeats = trackedFiles('.', ...[...compared, ...others].map(path => `:(exclude)${path}`)).flatMap(
    file =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          text.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`] : [],
        ),
  )
  expect(repeats, 'examples use version 1.2.3, code calls packageVersion()').toEqual([])
})

test('the lockfile has the version of package.json', () => {
  const { version: locked, packages } = JSON.parse(read('package-lock.json')) as {
    readonly version: string
    readonly packages: Readonly<Record<string, { readonly version?: string }>>
  }
  expect([locked, packages['']?.version, packages.sandbox?.version]).toEqual([version, version, undefined])
})

test('the sample projects of authors use the library of this version', () => {
  const samples = trackedFiles('examples/authors/*/package.json')
  expect(samples.length).toBeGreaterThan(0)
  for (const file of samples)
    expect(JSON.parse(read(file)).dependencies, file).toMatchObject({ '@trellis-gardener/trellis': version })
})

test('package.json names its own version once', () => {
  const ours = read('package.json').match(/"@trellis-gardener\/[^"]+": "[^"]+"/g)
  expect(ours).toEqual(['"@trellis-gardener/sandbox": "*"'])
})
