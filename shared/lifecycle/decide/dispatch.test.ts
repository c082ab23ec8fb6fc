import { describe, expect, test } from 'vitest'
import type { OperationType } from '../../contract/constants.ts'
import { type KindName, kindNames, kinds } from '../../contract/kinds.ts'
import { type TestObject, testObject } from '../testing/test-objects.ts'
import { dispatch, operationType } from './claim.ts'
import { type Facts, factsOf, type LastOperationFacts } from './facts.ts'
import { kindRules } from './kind-rules.ts'

const deletionTimestamp = '2026-11-21T11:59:00Z'
const finalizerFor = (kind: KindName) => kinds[kind].finalizer(kind === 'Extension' ? 'test' : undefined)

const run = (kind: KindName, input: TestObject) => {
  const result = dispatch(kind, factsOf(testObject(kind, input)), finalizerFor(kind))
  return result.kind === 'stop' ? result.why : `${result.operation} as ${result.type}`
}

const migrating = kindNames.filter(kind => kindRules[kind].migrates)
const others = kindNames.filter(kind => !kindRules[kind].migrates)

describe('the dispatch order', () => {
  test('the kinds that cannot migrate are known', () => {
    expect(others).toEqual(['BackupBucket', 'Bastion', 'SelfHostedShootExposure'])
  })

  describe.each(migrating)('dispatch of %s', kind => {
    const own = finalizerFor(kind)
    const cases: readonly (readonly [string, TestObject, string])[] = [
      ['skips a migrated object', { lastOperation: ['Migrate', 'Succeeded'] }, 'migrated'],
      [
        'skips a migrated object that is deleted',
        { lastOperation: ['Migrate', 'Succeeded'], deletionTimestamp, finalizers: [own] },
        'migrated',
      ],
      [
        'restores a migrated object',
        { annotation: 'restore', lastOperation: ['Migrate', 'Succeeded'] },
        'restore as Restore',
      ],
      [
        'migrates before it deletes',
        { annotation: 'migrate', deletionTimestamp, finalizers: [own] },
        'migrate as Migrate',
      ],
      ['deletes', { deletionTimestamp, finalizers: [own, 'other/one'] }, 'delete as Delete'],
      [
        'does not delete what it never made',
        { deletionTimestamp, finalizers: ['other/one'] },
        'nothing-to-delete',
      ],
      [
        'deletes before it restores',
        { annotation: 'restore', deletionTimestamp, finalizers: [own] },
        'delete as Delete',
      ],
      ['resumes a migrate', { lastOperation: ['Migrate', 'Error'], finalizers: [own] }, 'migrate as Migrate'],
      ['resumes a restore', { lastOperation: ['Restore', 'Error'] }, 'restore as Restore'],
      ['creates', {}, 'reconcile as Create'],
      ['reconciles', { lastOperation: ['Create', 'Succeeded'] }, 'reconcile as Reconcile'],
    ]
    test.each(cases)('%s', (_, input, expected) => {
      expect(run(kind, input)).toBe(expected)
    })
  })

  describe.each(others)('dispatch of %s', kind => {
    test.each([
      [
        'reconciles under the computed type when asked to migrate',
        { annotation: 'migrate' },
        'reconcile as Migrate',
      ],
      [
        'reconciles under the computed type when asked to restore',
        { annotation: 'restore' },
        'reconcile as Restore',
      ],
      [
        'does not skip after a migrate',
        { lastOperation: ['Migrate', 'Succeeded'] },
        'reconcile as Reconcile',
      ],
    ] as const)('%s', (_, input, expected) => {
      expect(run(kind, input)).toBe(expected)
    })

    test('an object in deletion is deleted also when a migration is requested', () => {
      const result = run(kind, { annotation: 'migrate', deletionTimestamp, finalizers: [finalizerFor(kind)] })
      expect(result).toBe(kind === 'SelfHostedShootExposure' ? 'delete as Delete' : 'delete as Migrate')
    })
  })

  test('an OperatingSystemConfig without a finalizer is migrated too, because gardenlet waits for it', () => {
    expect(run('OperatingSystemConfig', { annotation: 'migrate' })).toBe('migrate as Migrate')
  })
})

const last = (type: string, state: string): LastOperationFacts => ({
  type,
  state,
  lastUpdateTime: '2026-11-21T00:00:00Z',
})
const deleted = '2026-11-21T00:00:00Z'

interface Row {
  readonly rule: string
  readonly requested?: Facts['requested']
  readonly deletionTimestamp?: string
  readonly lastOperation?: LastOperationFacts
  readonly type: OperationType
}

const rows: readonly Row[] = [
  { rule: '1 migrate', requested: 'migrate', lastOperation: last('Reconcile', 'Succeeded'), type: 'Migrate' },
  { rule: '1 beats 2', requested: 'migrate', deletionTimestamp: deleted, type: 'Migrate' },
  {
    rule: '2 deletion',
    deletionTimestamp: deleted,
    lastOperation: last('Reconcile', 'Error'),
    type: 'Delete',
  },
  { rule: '2 beats 3', requested: 'restore', deletionTimestamp: deleted, type: 'Delete' },
  { rule: '2 beats 4', deletionTimestamp: deleted, type: 'Delete' },
  {
    rule: '2 resumes a failed delete',
    deletionTimestamp: deleted,
    lastOperation: last('Delete', 'Error'),
    type: 'Delete',
  },
  { rule: '3 restore', requested: 'restore', lastOperation: last('Migrate', 'Succeeded'), type: 'Restore' },
  { rule: '3 beats 4', requested: 'restore', type: 'Restore' },
  { rule: '4 no last operation', type: 'Create' },
  { rule: '4 with reconcile annotation', requested: 'reconcile', type: 'Create' },
  { rule: '5 Create in Error', lastOperation: last('Create', 'Error'), type: 'Create' },
  { rule: '5 Create in Processing', lastOperation: last('Create', 'Processing'), type: 'Create' },
  { rule: '6 Migrate in Error', lastOperation: last('Migrate', 'Error'), type: 'Migrate' },
  {
    rule: '6 Migrate in Processing',
    requested: 'reconcile',
    lastOperation: last('Migrate', 'Processing'),
    type: 'Migrate',
  },
  { rule: '7 Restore in Error', lastOperation: last('Restore', 'Error'), type: 'Restore' },
  { rule: '7 Restore in Processing', lastOperation: last('Restore', 'Processing'), type: 'Restore' },
  { rule: '8 Create succeeded', lastOperation: last('Create', 'Succeeded'), type: 'Reconcile' },
  { rule: '8 Reconcile in Error', lastOperation: last('Reconcile', 'Error'), type: 'Reconcile' },
  { rule: '8 Migrate succeeded', lastOperation: last('Migrate', 'Succeeded'), type: 'Reconcile' },
  { rule: '8 Restore succeeded', lastOperation: last('Restore', 'Succeeded'), type: 'Reconcile' },
  { rule: '8 failed Delete without deletion', lastOperation: last('Delete', 'Error'), type: 'Reconcile' },
  {
    rule: '8 wait-for-state is no operation',
    requested: 'wait-for-state',
    lastOperation: last('Reconcile', 'Succeeded'),
    type: 'Reconcile',
  },
]

describe('the operation type', () => {
  test.each(rows)(
    'the operation type follows rule $rule',
    ({ requested, deletionTimestamp, lastOperation, type }) => {
      expect(operationType({ requested, deletionTimestamp, lastOperation })).toBe(type)
    },
  )
})
