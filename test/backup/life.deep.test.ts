import * as s3 from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BackupSeed,
  day,
  entryName,
  newVirtualAws,
  operatorOf,
  startBackupSeed,
  technicalId,
} from './harness.ts'

const { aws, clock } = newVirtualAws()
const operator = operatorOf(aws)
const bucket = 'backups-of-seed'
const locked = 'locked-backups-of-seed'
const lockedEntry = `${technicalId}--7e5d4c3b-1111-4222-8333-944445555666`

let seed: BackupSeed
beforeAll(async () => {
  seed = await startBackupSeed({ aws, clock })
})
afterAll(() => seed.close())

test('a BackupBucket becomes a bucket, with at most the six calls of the Go extension', async () => {
  await seed.createBucket(bucket)
  const object = await seed.untilReady('BackupBucket', bucket)
  expect(object.metadata.finalizers).toEqual(['extensions.gardener.cloud/backupbucket'])
  expect(object.status?.lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
  expect(operator.buckets()).toEqual([bucket])
  expect(seed.actions().length).toBeLessThanOrEqual(6)
})

test('a correct bucket costs four reads and no write', async () => {
  aws.calls.clear()
  await clock.advance(60_000)
  await seed.ask('BackupBucket', bucket, 'reconcile')
  await seed.untilReady('BackupBucket', bucket)
  expect(seed.actions().toSorted()).toEqual([
    'GetBucketLifecycleConfiguration',
    'GetBucketPolicy',
    'GetObjectLockConfiguration',
    'GetPublicAccessBlock',
  ])
})

test('a BackupEntry becomes the Secret of etcd, without a call to AWS', async () => {
  aws.calls.clear()
  await seed.createEntry(entryName, bucket)
  await seed.untilReady('BackupEntry', entryName)
  expect(await seed.secret('etcd-backup')).toEqual({
    accessKeyID: 'AKIABACKUPS',
    secretAccessKey: 'planted-secret-access-key',
    bucketName: bucket,
    region: 'eu-west-1',
  })
  expect(seed.actions()).toEqual([])
})

test('a deleted entry removes its objects and its Secret, and nothing else', async () => {
  const others = [`${entryName}0/etcd-main/a`, `${technicalId}--other/etcd-main/a`, 'z']
  await operator.put(bucket, `${entryName}/etcd-main/a`, `${entryName}/etcd-events/b`, ...others)
  await seed.remove('BackupEntry', entryName)
  await seed.untilGone('BackupEntry', entryName)
  expect(seed.actions()).toEqual(['ListObjectVersions', 'DeleteObjects', 'ListObjectVersions'])
  expect((await operator.keys(bucket)).toSorted()).toEqual(others.toSorted())
  expect(await seed.secret('etcd-backup')).toBeUndefined()
})

test('a deleted bucket removes its content', async () => {
  await operator.quietly(
    operator.client.send(
      new s3.PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }),
    ),
  )
  await operator.put(bucket, 'z', 'y')
  await operator.quietly(operator.client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: 'z' })))
  await seed.remove('BackupBucket', bucket)
  await seed.untilGone('BackupBucket', bucket)
  expect(operator.buckets()).toEqual([])
})

test('the deletion waits until all object locks have ended, and the status names the time', async () => {
  await seed.createBucket(locked, { retentionType: 'bucket', retentionPeriod: '96h', mode: 'compliance' })
  await seed.untilReady('BackupBucket', locked)
  await operator.put(locked, 'first')
  const first = clock.now()
  await clock.advance(2 * day)
  await operator.put(locked, 'second')
  const second = clock.now()
  await seed.remove('BackupBucket', locked)
  const waiting = await seed.until('the deletion to wait', () => {
    const object = seed.live('BackupBucket', locked)
    return object?.status?.lastOperation?.description.startsWith('Waiting') ? object : undefined
  })
  const shown = (time: number) => new Date(Math.floor(time / 1000) * 1000).toISOString().replace('.000', '')
  expect(waiting.status?.lastOperation).toMatchObject({
    type: 'Delete',
    state: 'Processing',
    description: `Waiting for 2 locked objects of bucket ${locked}: retention protects them, the oldest until ${shown(first + 4 * day)}, the newest until ${shown(second + 4 * day)}`,
  })
  aws.calls.clear()
  const waits = await seed.untilGoneLeaping('BackupBucket', locked)
  expect(operator.buckets()).toEqual([])
  expect(clock.now()).toBeGreaterThanOrEqual(second + 4 * day)
  expect(clock.now()).toBeLessThan(second + 4 * day + 3_600_000)
  // Each wait is at most a day: two until the end of the first lock, two until the last.
  expect(waits.length).toBeLessThanOrEqual(6)
  expect(waits.at(-1)).toContain('Waiting for 1 locked object of')
})

test('locked objects of an entry are tagged, and S3 deletes them', async () => {
  const bucketName = 'entry-locks'
  await seed.createBucket(bucketName, { retentionType: 'bucket', retentionPeriod: '24h', mode: 'compliance' })
  await seed.untilReady('BackupBucket', bucketName)
  await seed.createEntry(lockedEntry, bucketName)
  await seed.untilReady('BackupEntry', lockedEntry)
  await operator.put(bucketName, `${lockedEntry}/a`, 'other')
  await seed.remove('BackupEntry', lockedEntry)
  await seed.untilGone('BackupEntry', lockedEntry)
  expect((await operator.keys(bucketName)).toSorted()).toEqual(['other', `${lockedEntry}/a`])
  // S3 hides them after a day, and deletes hidden objects after another day.
  for (let days = 0; days < 4; days++) {
    await clock.advance(day)
    await operator.keys(bucketName)
  }
  expect(await operator.keys(bucketName)).toEqual(['other'])
  await seed.remove('BackupBucket', bucketName)
  await seed.untilGoneLeaping('BackupBucket', bucketName)
})

test('the account is empty in the end', () => {
  expect(operator.buckets()).toEqual([])
  expect(aws.accounts()).toHaveLength(1)
})
