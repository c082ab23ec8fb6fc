import { expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { planBackupBucket } from './plan.ts'
import { newAccount } from './testing/account.ts'
import { type BucketParts, bucketName, bucketOf, secretAccessKey, stepsOver } from './testing/steps.ts'

const setUp = (parts: BucketParts = {}) => {
  const account = newAccount()
  const { aws, clock } = account
  const secret = {
    name: 'backupprovider',
    namespace: 'garden',
    labels: {},
    data: { accessKeyID: 'AKIATEST', secretAccessKey },
  }
  const sentences = async (destroy = false, object: BackupBucket = bucketOf(parts)) => {
    const connection = { requestHandler: aws.requestHandler }
    const { signal } = new AbortController()
    const { actions } = await planBackupBucket({ object, secret, connection, clock, signal, destroy })
    return actions.map(({ sentence }) => sentence)
  }
  return { ...account, ...stepsOver(aws.requestHandler, clock, parts), sentences }
}

const immutability = { retentionType: 'bucket', retentionPeriod: '24h', mode: 'compliance' }

test('a plan lists every write of a new bucket and executes none', async () => {
  const { sentences, exists } = setUp({ immutability })
  expect(await sentences()).toEqual([
    `create bucket ${bucketName} in eu-west-1 with object lock`,
    `encrypt bucket ${bucketName} with SSE-S3`,
    `block public access to bucket ${bucketName}`,
    `deny requests to bucket ${bucketName} below TLS 1.2`,
    `abort uploads to bucket ${bucketName} that are unfinished after 7 days`,
    `lock new objects of bucket ${bucketName} for 1 day in compliance mode`,
  ])
  expect(await exists()).toBe(false)
})

test('a bucket that needs no change has an empty plan', async () => {
  const { step, sentences } = setUp({ immutability })
  await step('reconcile')
  expect(await sentences()).toEqual([])
})

test('a plan throws the same error as the step', async () => {
  const { step, sentences } = setUp({ immutability })
  await step('reconcile')
  expect(await failureOf(sentences(false, bucketOf()))).toMatchObject({
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
  expect(await failureOf(sentences(false, bucketOf({ region: 'x' })))).toMatchObject({
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
})

test('the plan of a deletion reports how many objects it deletes', async () => {
  const { step, sentences, put, fill, exists } = setUp()
  expect(await sentences(true)).toEqual([])
  await step('reconcile')
  expect(await sentences(true)).toEqual([`delete bucket ${bucketName}`])
  await put(1, 'a')
  expect(await sentences(true)).toEqual([`delete bucket ${bucketName} with 1 object version`])
  fill(1_000)
  expect(await sentences(true)).toEqual([`delete bucket ${bucketName} with more than 1000 object versions`])
  expect(await exists()).toBe(true)
})

test.each([
  ['in another region', { region: 'us-west-2' }],
  ['in a region that is none', { region: 'mars' }],
  ['with an invalid name', { name: 'a' }],
])('the deletion of a bucket %s does nothing', async (_, parts) => {
  const { step, sentences, exists } = setUp()
  await step('reconcile')
  expect(await sentences(true, bucketOf(parts))).toEqual([])
  expect(await exists()).toBe(true)
})
