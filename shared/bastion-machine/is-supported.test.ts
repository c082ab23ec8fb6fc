import { expect, test } from 'vitest'
import { isSupported } from './is-supported.ts'

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
