import { expect, test } from 'vitest'
import { decodeBackupBucketConfig } from './config.ts'

const config = (immutability: unknown) => ({
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucketConfig',
  immutability,
})
const lock = (fields: object) =>
  config({ retentionType: 'bucket', retentionPeriod: '24h', mode: 'governance', ...fields })

test.each([
  ['no config', undefined, undefined],
  ['null', null, undefined],
  ['no lock', config(undefined), undefined],
  ['a day', lock({}), { mode: 'GOVERNANCE', days: 1 }],
  ['as Go writes it', lock({ retentionPeriod: '96h0m0s' }), { mode: 'GOVERNANCE', days: 4 }],
  ['in minutes', lock({ retentionPeriod: '2880m' }), { mode: 'GOVERNANCE', days: 2 }],
  ['compliance', lock({ mode: 'compliance' }), { mode: 'COMPLIANCE', days: 1 }],
  ['locked', lock({ mode: 'compliance', locked: true }), { mode: 'COMPLIANCE', days: 1 }],
  ['not locked', lock({ locked: false }), { mode: 'GOVERNANCE', days: 1 }],
  ['an unknown field', { ...lock({}), more: 1 }, { mode: 'GOVERNANCE', days: 1 }],
])('%s', (_, value, retention) => {
  expect(decodeBackupBucketConfig(value)).toEqual({ ok: true, retention })
})

test.each([
  ['another kind', { ...lock({}), kind: 'Other' }, ['kind']],
  ['another version', { ...lock({}), apiVersion: 'v2' }, ['apiVersion']],
  ['a text', 'config', ['']],
  ['another type', lock({ retentionType: 'object' }), ['immutability.retentionType']],
  ['another mode', lock({ mode: 'strict' }), ['immutability.mode']],
  ['no period', lock({ retentionPeriod: undefined }), ['immutability.retentionPeriod']],
  ['no duration', lock({ retentionPeriod: 'long' }), ['immutability.retentionPeriod']],
  ['less than a day', lock({ retentionPeriod: '12h' }), ['immutability.retentionPeriod']],
  ['below zero', lock({ retentionPeriod: '-24h' }), ['immutability.retentionPeriod']],
  ['a day and a half', lock({ retentionPeriod: '36h' }), ['immutability.retentionPeriod']],
  ['over 100 years', lock({ retentionPeriod: '876024h' }), ['immutability.retentionPeriod']],
  ['locked in governance mode', lock({ locked: true }), ['immutability.locked']],
  ['compliance that is not locked', lock({ mode: 'compliance', locked: false }), ['immutability.locked']],
])('%s is refused', (_, value, paths) => {
  const decoded = decodeBackupBucketConfig(value)
  expect(decoded.ok ? [] : decoded.problems.map(({ path }) => path)).toEqual(paths)
})
