import type { LifecycleRule } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { abortUploads, leftoverRules, lifecycleWith } from './lifecycle-rules.ts'

const abort = (days: number, more: Partial<LifecycleRule> = {}): LifecycleRule => ({
  Status: 'Enabled',
  Filter: { Prefix: '' },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
  ...more,
})

test.each([
  ['the own rule', abort(7, { ID: 'given by S3' })],
  ['a faster rule', abort(1)],
  ['a rule with another action', abort(7, { Expiration: { Days: 90 } })],
  [
    'a rule in the old form',
    { Status: 'Enabled', Prefix: '', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } },
  ],
  ['a rule with an empty filter', abort(7, { Filter: {} })],
] as const)('%s is enough', (_, rule) => {
  expect(lifecycleWith({ rules: [rule as LifecycleRule] }, [abortUploads])).toBeUndefined()
})

test.each([
  ['slower', abort(30)],
  ['for a prefix', abort(7, { Filter: { Prefix: 'a/' } })],
  ['for large objects', abort(7, { Filter: { ObjectSizeGreaterThan: 5 } })],
  ['switched off', abort(7, { Status: 'Disabled' })],
])('a rule that is %s is retained beside the own rule', (_, rule) => {
  expect(lifecycleWith({ rules: [rule], minimumSize: 'varies_by_storage_class' }, [abortUploads])).toEqual({
    rules: [rule, abortUploads.rule],
    minimumSize: 'varies_by_storage_class',
  })
})

test('the rules for leftovers are added once', () => {
  const first = lifecycleWith({ rules: [abort(7)] }, leftoverRules)
  expect(first?.rules.map(({ ID }) => ID)).toEqual([
    undefined,
    'GC-forTaggedObjects',
    'GC-delete-markers-objects',
  ])
  expect(lifecycleWith(first ?? { rules: [] }, leftoverRules)).toBeUndefined()
})

test('an existing name is not reused', () => {
  const [, markers] = leftoverRules
  const taken = abort(7, { ID: 'GC-delete-markers-objects', Status: 'Disabled' })
  const { rules = [] } = lifecycleWith({ rules: [taken] }, markers ? [markers] : []) ?? {}
  expect(rules.map(({ ID }) => ID)).toEqual(['GC-delete-markers-objects', undefined])
})
