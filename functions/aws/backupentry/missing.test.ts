import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import {
  type AwsOptions,
  createAws,
  operatorCredentials,
} from '../../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { consistentAfterMs } from '../../../terraform-free-infra/aws/account/consistent-after.ts'
import { entryName, seedWith } from './testing/steps.ts'

const Bucket = 'backups'
const noSuchBucket = { kind: 'error', code: 'NoSuchBucket', status: 404 } as const

/** An entry in deletion, with three objects of the shoot and one of another. */
const newWorld = async (options: AwsOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ...options })
  const client = new s3.S3Client(clientSettings(aws, operatorCredentials))
  await client.send(
    new s3.CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }),
  )
  for (const key of [`${entryName}/v2/a`, `${entryName}/v2/b`, `${entryName}/v2/c`, 'other/a'])
    await client.send(new s3.PutObjectCommand({ Bucket, Key: key, Body: 'x' }))
  const seed = await seedWith(aws.requestHandler, clock, { bucketName: Bucket })
  await seed.step()
  await seed.remove()
  const keys = async () =>
    (await client.send(new s3.ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key) ?? []
  return { aws, clock, client, keys, ...seed }
}

describe('the deletion of an entry', () => {
  test.each([
    ['ListObjectVersions', 1],
    ['ListObjectVersions', 2],
    ['DeleteObjects', 1],
  ])('is not ended by one answer of %s (the %i.) that the bucket does not exist', async (action, nth) => {
    const { aws, keys, untilGone } = await newWorld()
    aws.faults.add({ action, nth, effect: noSuchBucket })
    const waits = await untilGone()
    expect(waits[0]).toBe(
      `S3 does not find the bucket ${Bucket}. Waiting until 2026-11-21T00:05:00Z, because S3 may hide an existing bucket for some minutes`,
    )
    expect(await keys()).toEqual(['other/a'])
  })

  test('is not ended while S3 does not find the bucket for less than five minutes', async () => {
    const { aws, keys, untilGone } = await newWorld()
    aws.faults.add({ service: 's3', lasts: consistentAfterMs - 1_000, effect: { kind: 'not-found' } })
    await untilGone()
    expect(await keys()).toEqual(['other/a'])
  })

  test('is not ended while S3 lists the bucket, even if it does not find it', async () => {
    const { aws, keys, clock, step, entry, untilGone } = await newWorld()
    aws.faults.add({ action: 'ListObjectVersions', times: null, effect: noSuchBucket })
    for (let count = 0; count < 15; count++) {
      await step()
      await clock.advance(120_000)
    }
    expect((await entry())?.status?.lastOperation?.description).toContain('S3 lists the bucket backups')
    aws.faults.clear()
    await untilGone()
    expect(await keys()).toEqual(['other/a'])
  })

  test('ends after five minutes of such answers if the bucket is gone', async () => {
    const { client, clock, keys, untilGone } = await newWorld()
    for (const Key of await keys()) await client.send(new s3.DeleteObjectCommand({ Bucket, Key }))
    await client.send(new s3.DeleteBucketCommand({ Bucket }))
    const began = clock.now()
    const waits = await untilGone()
    expect(waits.at(-1)).toBe('gone')
    expect(clock.now() - began).toBeGreaterThanOrEqual(consistentAfterMs)
  })
})

test('with late reads and small pages that omit and repeat objects, an entry leaves nothing behind', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const { keys, untilGone } = await newWorld({
      lag: { seed, most: 90_000 },
      pages: { seed, most: 2, repeated: 0.3, omitted: 0.3 },
    })
    await untilGone()
    expect(await keys(), `seed ${seed}`).toEqual(['other/a'])
  }
})
