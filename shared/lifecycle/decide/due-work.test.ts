import { describe, expect, test } from 'vitest'
import { kinds } from '../../contract/kinds.ts'
import { type TestObject, testNow, testObject } from '../testing/test-objects.ts'
import { dueWork } from './due-work.ts'

const own = kinds.DNSRecord.finalizer()
const deletionTimestamp = '2026-11-21T11:59:00Z'
const soon = Date.parse('2026-11-21T12:01:00.000Z')
const past = '2026-11-21T11:59:59.000Z'

type Expected =
  | 'none'
  | readonly ['emit', operation: string, reason: string]
  | readonly ['later', operation: string]

const summary = (
  input: TestObject,
  kind: 'DNSRecord' | 'BackupBucket' | 'OperatingSystemConfig' = 'DNSRecord',
): Expected => {
  const work = dueWork(kind, testObject(kind, input), testNow)
  switch (work.kind) {
    case 'none':
      return 'none'
    case 'emit':
      return ['emit', work.operation, work.reason]
    case 'later':
      return ['later', work.operation]
  }
}

/** The due work of an object at its first read (docs/contract/lifecycle.md#when-work-is-due). */
const seenFirst: readonly (readonly [string, TestObject, Expected])[] = [
  [
    'a reconcile annotation',
    { annotation: 'reconcile', lastOperation: ['Reconcile', 'Succeeded'] },
    ['emit', 'reconcile', 'annotation'],
  ],
  [
    'a restore annotation',
    { annotation: 'restore', lastOperation: ['Reconcile', 'Succeeded'] },
    ['emit', 'restore', 'annotation'],
  ],
  [
    'a migrate annotation',
    { annotation: 'migrate', lastOperation: ['Reconcile', 'Succeeded'] },
    ['emit', 'migrate', 'annotation'],
  ],
  ['wait-for-state', { annotation: 'wait-for-state' }, 'none'],
  [
    'an operation of another resource',
    { annotation: 'maintain', lastOperation: ['Reconcile', 'Succeeded'] },
    'none',
  ],
  [
    'a deletion with our finalizer',
    { deletionTimestamp, finalizers: [own], lastOperation: ['Reconcile', 'Succeeded'] },
    ['emit', 'delete', 'deletion'],
  ],
  [
    'a deletion without our finalizer',
    { deletionTimestamp, finalizers: ['other/one'], lastOperation: ['Reconcile', 'Succeeded'] },
    'none',
  ],
  [
    'migrate on a deleting object',
    { annotation: 'migrate', deletionTimestamp, finalizers: [own] },
    ['emit', 'migrate', 'annotation'],
  ],
  [
    'restore on a deleting object',
    { annotation: 'restore', deletionTimestamp, finalizers: [own] },
    ['emit', 'delete', 'deletion'],
  ],
  ['no last operation', {}, ['emit', 'reconcile', 'created']],
  ['an interrupted Create', { lastOperation: ['Create', 'Processing'] }, ['emit', 'reconcile', 'resume']],
  ['a failed Reconcile', { lastOperation: ['Reconcile', 'Error'] }, ['emit', 'reconcile', 'resume']],
  ['an interrupted Migrate', { lastOperation: ['Migrate', 'Error'] }, ['emit', 'migrate', 'resume']],
  ['an interrupted Restore', { lastOperation: ['Restore', 'Processing'] }, ['emit', 'restore', 'resume']],
  ['a success', { lastOperation: ['Reconcile', 'Succeeded'] }, 'none'],
  [
    'a success and a newer spec without annotation',
    { generation: 2, lastOperation: ['Reconcile', 'Succeeded'] },
    'none',
  ],
  ['a migrated object', { lastOperation: ['Migrate', 'Succeeded'] }, 'none'],
  [
    'a migrated object that is deleted',
    { deletionTimestamp, finalizers: [own], lastOperation: ['Migrate', 'Succeeded'] },
    'none',
  ],
  [
    'a migrated object that is restored',
    { annotation: 'restore', lastOperation: ['Migrate', 'Succeeded'] },
    ['emit', 'restore', 'annotation'],
  ],
  [
    'a migrated object with a reconcile annotation to consume',
    { annotation: 'reconcile', lastOperation: ['Migrate', 'Succeeded'] },
    ['emit', 'reconcile', 'annotation'],
  ],
]

const waits: readonly (readonly [string, TestObject, Expected])[] = [
  ['backoff', { lastOperation: ['Reconcile', 'Error'], step: { attempt: 3 } }, ['later', 'reconcile']],
  [
    'backoff that is over',
    { lastOperation: ['Reconcile', 'Error'], step: { attempt: 3, until: past } },
    ['emit', 'reconcile', 'retry'],
  ],
  ['a continuation', { lastOperation: ['Create', 'Processing'], step: {} }, ['later', 'continue']],
  [
    'a continuation that is due',
    { lastOperation: ['Create', 'Processing'], step: { until: past } },
    ['emit', 'continue', 'due'],
  ],
  [
    'backoff and a new request',
    {
      annotation: 'reconcile',
      timestamp: 'b',
      lastOperation: ['Reconcile', 'Error'],
      step: { request: 'reconcile@a' },
    },
    ['emit', 'reconcile', 'annotation'],
  ],
  [
    'backoff and the same request once more, as kubectl writes it',
    {
      annotation: 'reconcile',
      timestamp: 'a',
      lastOperation: ['Reconcile', 'Error'],
      step: { request: 'reconcile@a' },
    },
    ['emit', 'reconcile', 'touched'],
  ],
  [
    'backoff and a new generation',
    { generation: 2, lastOperation: ['Reconcile', 'Error'], step: {} },
    ['emit', 'reconcile', 'retry'],
  ],
  [
    'backoff and a deletion',
    { deletionTimestamp, finalizers: [own], lastOperation: ['Reconcile', 'Error'], step: {} },
    ['emit', 'delete', 'deletion'],
  ],
  [
    'backoff of the restore whose annotation still stands',
    {
      annotation: 'restore',
      timestamp: 'a',
      lastOperation: ['Restore', 'Error'],
      step: { operation: 'restore', request: 'restore@a' },
    },
    ['later', 'restore'],
  ],
  [
    'backoff of that restore, and a new generation',
    {
      annotation: 'restore',
      timestamp: 'a',
      generation: 2,
      lastOperation: ['Restore', 'Error'],
      step: { operation: 'restore', request: 'restore@a' },
    },
    ['emit', 'restore', 'annotation'],
  ],
  [
    'backoff of the delete that still stands',
    {
      deletionTimestamp,
      timestamp: 'a',
      finalizers: [own],
      lastOperation: ['Delete', 'Error'],
      step: { operation: 'delete', request: `delete@${deletionTimestamp}@a` },
    },
    ['later', 'delete'],
  ],
  [
    'backoff of a delete that gardenlet asks for again',
    {
      deletionTimestamp,
      timestamp: 'b',
      finalizers: [own],
      lastOperation: ['Delete', 'Error'],
      step: { operation: 'delete', request: `delete@${deletionTimestamp}@a` },
    },
    ['emit', 'delete', 'deletion'],
  ],
  ['a wait without any status (no Cluster)', { step: { attempt: 1 } }, ['later', 'reconcile']],
  [
    'a resync',
    { lastOperation: ['Reconcile', 'Succeeded'], step: { until: past } },
    ['emit', 'reconcile', 'due'],
  ],
  [
    'a malformed end',
    { lastOperation: ['Reconcile', 'Error'], step: { until: 'soon' } },
    ['emit', 'reconcile', 'resume'],
  ],
]

const was = 'Reconcile/Succeeded/2026-11-21T11:00:00Z'
const claims: readonly (readonly [string, TestObject, Expected])[] = [
  [
    'right after the claim',
    { lastOperation: ['Reconcile', 'Succeeded'], step: { phase: 'claimed', was } },
    ['later', 'reconcile'],
  ],
  [
    'in Processing',
    { lastOperation: ['Reconcile', 'Processing'], step: { phase: 'claimed', was } },
    ['later', 'reconcile'],
  ],
  [
    'after Error, before the wait is ordered',
    { lastOperation: ['Reconcile', 'Error'], step: { phase: 'claimed', was } },
    ['later', 'reconcile'],
  ],
  [
    'and a new request',
    {
      annotation: 'reconcile',
      timestamp: 'b',
      lastOperation: ['Reconcile', 'Processing'],
      step: { phase: 'claimed', was },
    },
    ['later', 'reconcile'],
  ],
  [
    'expired',
    { lastOperation: ['Reconcile', 'Processing'], step: { phase: 'claimed', was, until: past } },
    ['emit', 'reconcile', 'expired'],
  ],
  [
    'after Succeeded',
    { lastOperation: ['Reconcile', 'Succeeded', '2026-11-21T11:59:00Z'], step: { phase: 'claimed', was } },
    'none',
  ],
  [
    'after Succeeded, with a new request',
    {
      annotation: 'reconcile',
      lastOperation: ['Reconcile', 'Succeeded', '2026-11-21T11:59:00Z'],
      step: { phase: 'claimed', was },
    },
    ['emit', 'reconcile', 'annotation'],
  ],
  [
    'after a Succeeded delete whose finalizer is still there',
    {
      deletionTimestamp,
      finalizers: [own],
      lastOperation: ['Delete', 'Succeeded'],
      step: { phase: 'claimed', operation: 'delete', was, request: `delete@${deletionTimestamp}@` },
    },
    ['later', 'delete'],
  ],
  [
    'after a Succeeded restore whose annotation is still there',
    {
      annotation: 'restore',
      lastOperation: ['Restore', 'Succeeded'],
      step: { phase: 'claimed', operation: 'restore', was, request: 'restore@' },
    },
    ['later', 'restore'],
  ],
]

const afterSuccess: TestObject['step'] = {
  was: 'Reconcile/Processing/2026-11-21T11:59:00Z',
  until: '2026-11-21T13:00:00.000Z',
  durationMs: 3_600_000,
  claimedUntil: '2026-11-21T12:00:30.000Z',
}
const begun = ['Reconcile', 'Processing', '2026-11-21T11:59:00Z'] as const
const succeeded = ['Reconcile', 'Succeeded', '2026-11-21T11:59:00Z'] as const
const waitsAfterSuccess: readonly (readonly [string, TestObject, Expected])[] = [
  ['before the success', { lastOperation: begun, step: afterSuccess }, ['later', 'reconcile']],
  [
    'before the success, with a new request',
    { annotation: 'reconcile', lastOperation: begun, step: afterSuccess },
    ['later', 'reconcile'],
  ],
  [
    'after a crash before the success',
    { lastOperation: begun, step: { ...afterSuccess, claimedUntil: past } },
    ['emit', 'reconcile', 'expired'],
  ],
  ['after the success', { lastOperation: succeeded, step: afterSuccess }, ['later', 'reconcile']],
  [
    'at its end',
    { lastOperation: succeeded, step: { ...afterSuccess, until: past } },
    ['emit', 'reconcile', 'due'],
  ],
  [
    'after the success, with a new request',
    { annotation: 'reconcile', lastOperation: succeeded, step: afterSuccess },
    ['emit', 'reconcile', 'annotation'],
  ],
  [
    'after the success, and an operation of another writer',
    { lastOperation: ['Reconcile', 'Processing', '2026-11-21T11:59:30Z'], step: afterSuccess },
    ['later', 'continue'],
  ],
]

describe('the due work of an object', () => {
  test.each(seenFirst)('an object with %s', (_, input, expected) => {
    expect(summary(input)).toEqual(expected)
  })

  test.each(waits)('an object that waits: %s', (_, input, expected) => {
    expect(summary(input)).toEqual(expected)
  })

  test.each(claims)('an object that is claimed: %s', (_, input, expected) => {
    expect(summary(input)).toEqual(expected)
  })

  test.each(waitsAfterSuccess)('an object with a wait after a success: %s', (_, input, expected) => {
    expect(summary(input)).toEqual(expected)
  })

  test('a wait is a claim, with the end of the claim, until its success', () => {
    const heldAt = (lastOperation: NonNullable<TestObject['lastOperation']>) =>
      dueWork('DNSRecord', testObject('DNSRecord', { lastOperation, step: afterSuccess }), testNow)
    expect(heldAt(begun)).toMatchObject({ held: true, at: Date.parse('2026-11-21T12:00:30.000Z') })
    expect(heldAt(succeeded)).toMatchObject({ held: false, at: Date.parse('2026-11-21T13:00:00.000Z') })
  })

  test('the end of a wait is reported', () => {
    const work = dueWork(
      'DNSRecord',
      testObject('DNSRecord', { lastOperation: ['Reconcile', 'Error'], step: {} }),
      testNow,
    )
    expect(work).toMatchObject({ kind: 'later', at: soon, held: false })
  })

  test('an annotation that a kind without migration never consumes leads to one reconcile', () => {
    const asked: TestObject = {
      annotation: 'migrate',
      timestamp: 'a',
      lastOperation: ['Reconcile', 'Succeeded'],
    }
    expect(summary(asked, 'BackupBucket')).toEqual(['emit', 'reconcile', 'annotation'])
    const done: TestObject = {
      ...asked,
      lastOperation: ['Migrate', 'Succeeded', '2026-11-21T11:59:00Z'],
      step: { phase: 'claimed', was, request: 'migrate@a' },
    }
    expect(summary(done, 'BackupBucket')).toEqual('none')
    expect(summary({ ...done, timestamp: 'b' }, 'BackupBucket')).toEqual(['emit', 'reconcile', 'annotation'])
  })

  test('an OperatingSystemConfig that was never created is migrated, because gardenlet waits for it', () => {
    expect(summary({ annotation: 'migrate' }, 'OperatingSystemConfig')).toEqual([
      'emit',
      'migrate',
      'annotation',
    ])
  })

  test('the cause is the same for every process, and changes after the outcome changed', () => {
    const cause = (input: TestObject) => {
      const work = dueWork('DNSRecord', testObject('DNSRecord', input), testNow)
      return work.kind === 'none' ? undefined : work.cause
    }
    const asked: TestObject = {
      annotation: 'reconcile',
      timestamp: 'a',
      lastOperation: ['Reconcile', 'Succeeded'],
    }
    expect(cause({ ...asked, resourceVersion: '8' })).toBe(cause({ ...asked, resourceVersion: '9' }))
    expect(cause({ ...asked, timestamp: 'b' })).not.toBe(cause(asked))
    expect(cause({ ...asked, lastOperation: ['Reconcile', 'Succeeded', '2026-11-21T11:30:00Z'] })).not.toBe(
      cause(asked),
    )
  })
})
