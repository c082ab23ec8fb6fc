import * as s3 from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createOpenBucket,
  observeBucket,
  planBucket,
  progressOf,
  reconcileBucket,
  removeBucket,
  removePrefix,
} from '../../functions/aws/backupbucket/s3/backup.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { createRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { type RunningMoto, startMoto } from './moto.ts'
import { describeWith } from './with-part.ts'

describeWith('python', 'buckets for backups on moto', programs => {
  let moto: RunningMoto
  let client: s3.S3Client
  const requestHandler = createRequestHandler()
  beforeAll(async () => {
    moto = await startMoto(programs)
    client = new s3.S3Client({
      endpoint: moto.url,
      region: 'eu-west-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
    })
  })
  afterAll(async () => {
    await moto?.close()
  })

  const region = 'eu-west-1'
  const bucketCalled = (name: string) =>
    createOpenBucket({ connection: { endpoint: moto.url, requestHandler }, clock: systemClock })({
      name,
      region,
      secret: {
        name: 'backups',
        namespace: 'garden',
        labels: {},
        data: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'example' },
      },
      signal: new AbortController().signal,
      throwIfExpired: () => {},
    })
  const pace = { progress: progressOf(undefined), parallel: 4, timeMs: 15_000, clock: systemClock }
  const put = (Bucket: string, Key: string) =>
    client.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const keys = async (Bucket: string) =>
    (await client.send(new s3.ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key) ?? []

  const asNew = { beforeCreate: async () => undefined, mayBeDeleted: false }

  test.each([
    ['plain', undefined],
    ['locked', { mode: 'GOVERNANCE', days: 1 } as const],
  ])('a %s bucket is created, and then matches the desired one', async (name, retention) => {
    const bucket = await bucketCalled(name)
    const desired = { name, region, retention }
    const made = await reconcileBucket(bucket, desired, asNew)
    expect(made).toMatchObject({ kind: 'done' })
    expect(planBucket(desired, await observeBucket(bucket))).toEqual([])
  })

  test('a prefix is deleted without adjacent objects, and a bucket with all its content', async () => {
    const name = 'full'
    const bucket = await bucketCalled(name)
    await reconcileBucket(bucket, { name, region, retention: undefined }, asNew)
    // moto denies a request whenever a policy denies it on a condition, even if the condition does not hold.
    await client.send(new s3.DeleteBucketPolicyCommand({ Bucket: name }))
    await client.send(
      new s3.PutBucketVersioningCommand({
        Bucket: name,
        VersioningConfiguration: { Status: 'Enabled' },
      }),
    )
    for (const key of ['a/1', 'a/1', 'a/2', 'ab/1']) await put(name, key)
    await client.send(new s3.DeleteObjectCommand({ Bucket: name, Key: 'ab/1' }))
    await put(name, 'b/1')
    expect(await removePrefix({ bucket, prefix: 'a/', ...pace })).toMatchObject({ kind: 'done', deleted: 3 })
    expect(await keys(name)).toEqual(['b/1'])
    expect(await removeBucket({ wasOurs: true, bucket, ...pace })).toEqual({ kind: 'gone' })
    expect(await removeBucket({ wasOurs: true, bucket, ...pace })).toEqual({ kind: 'missing' })
    expect(await bucket.isListed()).toBe(false)
  })
})
