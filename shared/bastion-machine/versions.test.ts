import { expect, test } from 'vitest'
import { compareVersions, isSupported, isVersion } from './versions.ts'

const now = Date.parse('2026-11-21T00:00:00Z')
const before = '2026-11-20T00:00:00Z'
const after = '2026-11-22T00:00:00Z'

test.each([
  ['without a classification', {}, true],
  ['that is classified as supported', { classification: 'supported' }, true],
  ['in preview', { classification: 'preview' }, false],
  ['that is deprecated', { classification: 'deprecated' }, false],
  ['that expires', { classification: 'supported', expirationDate: after }, true],
  ['that has expired', { classification: 'supported', expirationDate: before }, false],
  ['that has expired, without a classification', { expirationDate: before }, false],
  ['that expires, without a classification', { expirationDate: after }, true],
  [
    'in a lifecycle stage that has started',
    { lifecycle: [{ classification: 'supported', startTime: before }] },
    true,
  ],
  [
    'in a lifecycle stage that starts later',
    { lifecycle: [{ classification: 'supported', startTime: after }] },
    false,
  ],
  [
    'in a later lifecycle stage that is deprecated',
    { lifecycle: [{ classification: 'supported' }, { classification: 'deprecated', startTime: before }] },
    false,
  ],
])('the support of a version %s', (_, fields, expected) => {
  expect(isSupported({ version: '1.0.0', ...fields }, now)).toBe(expected)
})

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
