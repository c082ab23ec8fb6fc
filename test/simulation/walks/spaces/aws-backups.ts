import fc from 'fast-check'
import { backupBucketConfigSchema } from '../../../../functions/aws/backupbucket/s3/rules.ts'
import { addBucket } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import { rarely } from '../space/rarely.ts'
import { refusedCalls, withoutKey } from '../space/troubles.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'
import { preparedAccount } from '../world/prepared-account.ts'

const secretOfBucket = 'bucket-9f6d1c3e-backups-of-seed'
const entryName = 'shoot--garden--lily--2d3e5b74-8c5f-4c2d-af77-4f3f6f5f8d31'

/** A compliance lock cannot be shortened or removed, so it is chosen for a bucket. */
const bucketSpec = (mode: 'governance' | 'compliance') =>
  arbitraryOf(schemaOf(kinds.BackupBucket.schema.shape.spec), {
    type: fc.constant('aws'),
    class: absent,
    providerConfig: fc.option(
      arbitraryOf(schemaOf(backupBucketConfigSchema), {
        'immutability.retentionPeriod': rarely(fc.constantFrom('24h', '48h', '96h'), '25h'),
        'immutability.mode': fc.constant(mode),
        'immutability.locked': fc.constantFrom(undefined, mode === 'compliance'),
      }),
      { nil: undefined },
    ),
    region: rarely(fc.constant('eu-west-1'), 'eu-central-1'),
    'secretRef.name': fc.constant(secretOfBucket),
    'secretRef.namespace': fc.constant('garden'),
  })

const entrySpec = arbitraryOf(schemaOf(kinds.BackupEntry.schema.shape.spec), {
  type: fc.constant('aws'),
  class: absent,
  providerConfig: absent,
  backupBucketProviderStatus: absent,
  bucketName: fc.constantFrom('9f6d1c3e-backups-of-seed', 'another-bucket', 'missing-bucket'),
  region: fc.constantFrom('eu-west-1', 'eu-central-1'),
  'secretRef.name': fc.constant(`entry-${entryName}`),
  'secretRef.namespace': fc.constant('garden'),
})

export const awsBackupBucket: WalkSpace = {
  name: 'aws/backupbucket',
  load: async () => ({
    definition: (await import('../../../../functions/aws/backupbucket/function.ts')).definition,
    shoots: fc
      .constantFrom('governance' as const, 'compliance' as const)
      .map(mode => fc.record({ spec: bucketSpec(mode) }) as fc.Arbitrary<Configuration>),
    objects: await exampleObjects('backup/bucket.yaml'),
    troubles: {
      'a Secret without a key': { objects: withoutKey(secretOfBucket, 'secretAccessKey') },
      'no permission for locks': {
        cloud: refusedCalls('s3', 'PutObjectLockConfiguration', 'AccessDenied', 403),
      },
      'no permission for policies': { cloud: refusedCalls('s3', 'PutBucketPolicy', 'AccessDenied', 403) },
      'no more buckets': { cloud: refusedCalls('s3', 'CreateBucket', 'TooManyBuckets') },
    },
  }),
}

export const awsBackupEntry: WalkSpace = {
  name: 'aws/backupentry',
  load: async () => {
    const { account } = await preparedAccount(aws => {
      for (const [name, region] of [
        ['9f6d1c3e-backups-of-seed', 'eu-west-1'],
        ['another-bucket', 'eu-central-1'],
      ] as const)
        addBucket(aws.account(), { name, region }, aws.clock)
    })
    return {
      definition: (await import('../../../../functions/aws/backupentry/function.ts')).definition,
      shoots: fc.constant(fc.record({ spec: entrySpec }) as fc.Arbitrary<Configuration>),
      objects: await exampleObjects('backup/entry.yaml'),
      account,
      troubles: { 'a Secret without a key': { objects: withoutKey(`entry-${entryName}`, 'accessKeyID') } },
    }
  },
}
