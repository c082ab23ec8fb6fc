import { describe, expect, test } from 'vitest'
import { validate } from '../testing/reviews.ts'

const credentialsRef = { apiVersion: 'v1', kind: 'Secret', namespace: 'garden', name: 'b' }
const locked = (mode: string, retentionPeriod: string) => ({
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucketConfig',
  immutability: { retentionType: 'bucket', retentionPeriod, mode },
})
const seed = (backup: object) => ({
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'Seed',
  metadata: { name: 's' },
  spec: { provider: { type: 'aws' }, backup: { provider: 'aws', credentialsRef, ...backup } },
})

describe('a lock in mode compliance', () => {
  const old = seed({ providerConfig: locked('compliance', '48h') })

  test('can be removed for new objects, with a warning', async () => {
    expect(await validate(seed({}), { old })).toMatchObject({
      allowed: true,
      warnings: [
        'spec.backup.providerConfig.immutability: without it, new objects are not locked; locked objects stay locked until their retention ends',
      ],
    })
  })

  test.each([
    ['the lock stays', locked('compliance', '72h'), old],
    ['there was none', undefined, seed({})],
    ['it was one that can be lifted', undefined, seed({ providerConfig: locked('governance', '48h') })],
  ])('no warning is given if %s', async (_, providerConfig, before) => {
    expect(await validate(seed({ providerConfig }), { old: before })).toMatchObject({
      allowed: true,
      warnings: [],
    })
  })
})

test('backups in another cloud are left to the admission of that cloud', async () => {
  expect(await validate(seed({ provider: 'gcp', credentialsRef: undefined }))).toMatchObject({
    allowed: true,
  })
})

test.each([
  ['spec.backup.providerConfig: Invalid value: 7: expected an object, found a number', 7],
  [
    'spec.backup.providerConfig.immutability.locked: Invalid value: true: expected false or nothing, because locks of mode governance can be removed. Set mode: compliance',
    {
      ...locked('governance', '24h'),
      immutability: { ...locked('governance', '24h').immutability, locked: true },
    },
  ],
])('%s', async (message, providerConfig) => {
  expect((await validate(seed({ providerConfig }))).message).toBe(message)
})
