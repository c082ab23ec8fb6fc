import { expect, test } from 'vitest'
import { noProgress, percentOf, progressOf, progressPatch } from './deletion-progress.ts'

const version = { key: 'k', versionId: 'v', modified: 1 }

test.each([
  { deleted: 3 },
  { deleted: 3, after: { key: 'k' } },
  { deleted: 3, after: { key: 'k', versionId: 'v' }, locked: { count: 1, oldest: version, newest: version } },
])('progress is read back from a status: %o', progress => {
  const stored = JSON.parse(JSON.stringify(progressPatch(progress)), (_, value) => value ?? undefined)
  expect(progressOf(stored)).toEqual(progress)
})

test.each([
  undefined,
  null,
  {},
  { kind: 'InfrastructureState' },
  { kind: 'BackupDeletionState', progress: { deleted: -1 } },
])('an invalid state starts from the beginning: %j', state => {
  expect(progressOf(state)).toEqual(noProgress)
})

test('the percentage grows and stays below the end', () => {
  const percents = [0, 1_000, 20_000, 1_000_000].map(deleted => percentOf({ deleted }))
  expect(percents).toEqual([1, 5, 45, 88])
})
