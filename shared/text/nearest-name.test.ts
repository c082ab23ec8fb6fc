import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

test.each([
  ['wrokers', 'workers'],
  ['WORKERS', 'workers'],
  ['pubic', 'public'],
  ['internals', 'internal'],
  ['x', undefined],
  ['workersx'.repeat(20_000), undefined],
])('%.20s is close to %s', (written, name) => {
  expect(nearestName(written, ['workers', 'public', 'internal', 'name'])).toBe(name)
})
