import { expect, test } from 'vitest'
import { compareVersions, isVersion } from './semantic-version.ts'

test('versions are ordered as semver orders them', () => {
  const sorted = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-2',
    '1.0.0',
    '1.9',
    '1.10.0',
    '2.0.0+b',
  ]
  const shuffled = [
    '2.0.0+b',
    '1.9',
    '1.0.0-alpha.beta',
    '1.0.0',
    '1.0.0-2',
    '1.0.0-alpha',
    '1.10.0',
    '1.0.0-alpha.1',
  ]
  expect(shuffled.toSorted(compareVersions)).toEqual([
    '1.0.0-2',
    ...sorted.filter(version => version !== '1.0.0-2'),
  ])
})

test('an invalid version is ignored', () => {
  expect(['1877.3.0', 'v1.2', '1'].map(isVersion)).toEqual([true, true, true])
  expect(['latest', '', '1.2.3.4', '1.x'].map(isVersion)).toEqual([false, false, false, false])
})
