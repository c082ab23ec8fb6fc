import { describe, expect, it } from 'vitest'
import { seenOf, touchedWhileDeleting } from './seen.ts'
import { type TestObject, testObject } from './test-objects.ts'

const before: TestObject = {
  deletionTimestamp: '2026-11-21T11:59:00Z',
  finalizers: ['a/b'],
  lastOperation: ['Delete', 'Error'],
  step: {},
  resourceVersion: '1',
}

const rows: readonly (readonly [string, TestObject, boolean])[] = [
  ['somebody annotated it', { ...before, resourceVersion: '2', timestamp: 'x' }, true],
  ['nothing happened', before, false],
  [
    'its status was written',
    { ...before, resourceVersion: '2', lastOperation: ['Delete', 'Processing'] },
    false,
  ],
  ['its step was written', { ...before, resourceVersion: '2', step: { attempt: 1 } }, false],
  ['a finalizer went', { ...before, resourceVersion: '2', finalizers: [] }, false],
]

describe('a deleting object counts as touched', () => {
  it.each(rows)('when %s: %#', (_, after, expected) => {
    expect(touchedWhileDeleting(seenOf(testObject('Worker', before)), testObject('Worker', after))).toBe(
      expected,
    )
  })

  it('not when it is not deleting', () => {
    const { deletionTimestamp: _, ...alive } = before
    const after = testObject('Worker', { ...alive, resourceVersion: '2' })
    expect(touchedWhileDeleting(seenOf(testObject('Worker', alive)), after)).toBe(false)
  })
})
