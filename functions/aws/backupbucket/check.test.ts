import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { checkBackupBucket } from './check.ts'
import { type BucketParts, bucketOf, configOf } from './testing/steps.ts'

const immutability = { retentionType: 'bucket', retentionPeriod: '96h', mode: 'compliance' }

const check = async (parts: BucketParts) => checkBackupBucket({ object: bucketOf(parts), secret: undefined })

describe('a BackupBucket', () => {
  test.each<[string, BucketParts]>([
    ['without a config', {}],
    ['with a lock', { immutability }],
    ['with an empty config', { providerConfig: { ...configOf({}), immutability: undefined } }],
    ['in China', { region: 'cn-north-1' }],
    ['called like a uid', { name: '5a3b7723-8f5e-4a92-9a26-1c1e0bb0f8c1' }],
  ])('%s is valid', async (_, parts) => {
    await expect(check(parts)).resolves.toBeUndefined()
  })

  test.each<[string, BucketParts, string]>([
    ['a name with capitals', { name: 'Backup' }, 'metadata.name: expected the name of a bucket'],
    ['a long name', { name: 'a'.repeat(64) }, 'metadata.name: expected the name of a bucket: 3 to 63'],
    ['a region with a slash', { region: 'eu/../x' }, 'spec.region: expected the name of a region'],
    ['a region that is empty', { region: '' }, 'spec.region'],
    [
      'another config',
      { providerConfig: { apiVersion: 'v1', kind: 'Other' } },
      'spec.providerConfig.apiVersion',
    ],
    [
      'half a day',
      { immutability: { ...immutability, retentionPeriod: '12h' } },
      'spec.providerConfig.immutability.retentionPeriod: expected at least 24h, found "12h"',
    ],
    [
      'another mode',
      { immutability: { ...immutability, mode: 'none' } },
      'spec.providerConfig.immutability.mode',
    ],
  ])('%s is a configuration problem', async (_, parts, message) => {
    const failure = await failureOf(check(parts))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(failure.message).toContain(message)
  })

  test('reports all errors at once', async () => {
    const failure = await failureOf(check({ name: 'Backup', region: 'x', immutability: {} }))
    for (const field of ['metadata.name', 'spec.region', 'immutability.mode', 'immutability.retentionPeriod'])
      expect(failure.message).toContain(field)
  })

  test('without credentials in its Secret is refused', async () => {
    const secret = { name: 'backupprovider', namespace: 'garden', labels: {}, data: { accessKeyID: 'AKIA' } }
    const failure = await failureOf(checkBackupBucket({ object: bucketOf(), secret }))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(failure.message).toContain('garden/backupprovider: it has no secretAccessKey')
  })
})
