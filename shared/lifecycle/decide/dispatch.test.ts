import { describe, expect, it } from 'vitest'
import { type KindName, kindNames, kinds } from '../../contract/kinds.ts'
import { type TestObject, testObject } from '../testing/test-objects.ts'
import { dispatch } from './dispatch.ts'
import { factsOf } from './facts.ts'
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
  it('knows which kinds cannot migrate', () => {
    expect(others).toEqual(['BackupBucket', 'Bastion', 'SelfHostedShootExposure'])
  })

  describe.each(migrating)('of %s', kind => {
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
    it.each(cases)('%s', (_, input, expected) => {
      expect(run(kind, input)).toBe(expected)
    })
  })

  describe.each(others)('of %s', kind => {
    it.each([
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

    it('deletes also when asked to migrate', () => {
      const result = run(kind, { annotation: 'migrate', deletionTimestamp, finalizers: [finalizerFor(kind)] })
      expect(result).toBe(kind === 'SelfHostedShootExposure' ? 'delete as Delete' : 'delete as Migrate')
    })
  })

  it('does not migrate an OperatingSystemConfig without finalizer', () => {
    expect(run('OperatingSystemConfig', { annotation: 'migrate' })).toBe('nothing-to-migrate')
  })
})
