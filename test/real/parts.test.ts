import { expect, test } from 'vitest'
import { realSuites, suiteOf, suitesOfParts } from './parts.ts'

const suites = [
  suiteOf('helm-install.real.ts', "describeWith('helm', 'x', () => { inject('kube') })"),
  suiteOf('helm-chart.real.ts', "describeWith(\n  'helm', 'x', () => {})"),
  suiteOf('knative/life.real.ts', "describeWith('knative', 'x', () => {})"),
  suiteOf('library.real.ts', 'describe()'),
]
const pathsOf = (only: string) => suitesOfParts(suites, only).map(({ path }) => path)

test('a suite needs the programs that its source names', () => {
  expect(suites.map(({ programs }) => programs)).toEqual([['helm', 'kube'], ['helm'], ['knative'], []])
})

test.each([
  ['kube', ['helm-install.real.ts']],
  ['helm', ['helm-install.real.ts', 'helm-chart.real.ts']],
  ['knative', ['knative/life.real.ts']],
  ['library, knative', ['knative/life.real.ts', 'library.real.ts']],
])('the part %s selects suites by folder, first word or program', (only, paths) => {
  expect(pathsOf(only)).toEqual(paths)
})

test('an unknown part is an error that lists the parts', () => {
  expect(() => pathsOf('helm,helmm')).toThrow(
    'there is no part helmm. The parts, with their number of files: helm (2), knative (1), kube (1), library (1)',
  )
})

test('every suite of the folder is in a part', () => {
  expect(realSuites().length).toBeGreaterThan(30)
  for (const { path, parts } of realSuites()) expect(parts, path).not.toContain('')
})
