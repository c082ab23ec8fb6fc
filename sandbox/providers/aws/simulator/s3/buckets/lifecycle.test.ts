import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, day, newBucketWorld, start } from '../testing/bucket-world.ts'

const put = (...Rules: s3.LifecycleRule[]) =>
  new s3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } })
const everything = { Status: 'Enabled', Filter: { Prefix: '' } } as const
const midnight = Math.ceil(start / day) * day

describe('lifecycle rules', () => {
  test('the rules are returned with an id, until they are deleted', async () => {
    const { client } = await newBucketWorld()
    const read = () => client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket }))
    const missing = { name: 'NoSuchLifecycleConfiguration', $metadata: { httpStatusCode: 404 } }
    const rule = { ...everything, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }
    expect(await failureOf(read())).toMatchObject(missing)
    await client.send(put(rule))
    expect((await read()).Rules).toEqual([{ ...rule, ID: expect.stringMatching(/^\w+$/) }])
    await client.send(new s3.DeleteBucketLifecycleCommand({ Bucket }))
    expect(await failureOf(read())).toMatchObject(missing)
  })
})

describe('the lifecycle of objects', () => {
  test('objects that match the filter expire at the midnight after their days', async () => {
    const world = await newBucketWorld()
    const { client, clock } = world
    await world.put('logs/a', 'x', { Tagging: 'keep=no' })
    await world.put('logs/b', 'x')
    await client.send(
      put({
        Status: 'Enabled',
        Filter: { And: { Prefix: 'logs/', Tags: [{ Key: 'keep', Value: 'no' }] } },
        Expiration: { Days: 2 },
      }),
    )
    const keys = async () =>
      (await client.send(new s3.ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key)
    await clock.advance(midnight + 2 * day - start - 1)
    expect(await keys()).toEqual(['logs/a', 'logs/b'])
    await clock.advance(1)
    expect(await keys()).toEqual(['logs/b'])
  })

  test('tagged versions are removed, and the markers that they leave', async () => {
    const {
      client,
      clock,
      put: putObject,
      versions,
    } = await newBucketWorld({}, { ObjectLockEnabledForBucket: true })
    const retain = { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: new Date(start + 5 * day) }
    await putObject('entry/full', 'x', retain)
    await putObject('entry/other', 'x')
    await client.send(
      new s3.PutObjectTaggingCommand({
        Bucket,
        Key: 'entry/full',
        Tagging: { TagSet: [{ Key: 'gc-marked-for-deletion', Value: 'true' }] },
      }),
    )
    await client.send(
      put(
        {
          ID: 'GC-forTaggedObjects',
          Status: 'Enabled',
          Filter: { Tag: { Key: 'gc-marked-for-deletion', Value: 'true' } },
          Expiration: { Days: 1 },
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        },
        { ID: 'GC-delete-markers', ...everything, Expiration: { ExpiredObjectDeleteMarker: true } },
      ),
    )
    await clock.advance(2 * day)
    expect((await versions()).markers.map(({ Key }) => Key)).toEqual(['entry/full'])
    await clock.advance(2 * day)
    expect((await versions()).versions.map(({ Key }) => Key)).toEqual(['entry/full', 'entry/other'])
    await clock.advance(4 * day)
    expect(await versions()).toMatchObject({ versions: [{ Key: 'entry/other' }], markers: [] })
  })

  test('a disabled rule does nothing', async () => {
    const { client, clock, put: putObject, versions } = await newBucketWorld()
    await putObject('k')
    await client.send(put({ ...everything, Status: 'Disabled', Expiration: { Days: 1 } }))
    await clock.advance(10 * day)
    expect((await versions()).versions).toHaveLength(1)
  })
})
