import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld, start } from '../testing/bucket-world.ts'

const enableVersioning = new s3.PutBucketVersioningCommand({
  Bucket,
  VersioningConfiguration: { Status: 'Enabled' },
})
const suspendVersioning = new s3.PutBucketVersioningCommand({
  Bucket,
  VersioningConfiguration: { Status: 'Suspended' },
})
const bodyOf = async ({ Body }: s3.GetObjectCommandOutput) => Body?.transformToString()

describe('an object', () => {
  test.each(['a', 'dir/with blank', 'plus+and%20', 'ünï/☃/𝄞', '/leading', 'trailing/', 'a//b', '__proto__'])(
    'an object is returned as it was stored, with the key %s',
    async Key => {
      const { client, put } = await newBucketWorld()
      await put(Key, 'body', { ContentType: 'text/plain', CacheControl: 'no-store', Metadata: { one: '1' } })
      const got = await client.send(new s3.GetObjectCommand({ Bucket, Key }))
      const listed = await client.send(new s3.ListObjectsV2Command({ Bucket }))
      expect(await bodyOf(got)).toBe('body')
      expect(got).toMatchObject({
        ContentType: 'text/plain',
        CacheControl: 'no-store',
        Metadata: { one: '1' },
        ContentLength: 4,
        ETag: '"841a2d689ad86bd1611447453c22c6fc"',
        LastModified: new Date(start),
        ServerSideEncryption: 'AES256',
      })
      expect(got.VersionId).toBeUndefined()
      expect(listed.Contents?.map(each => each.Key)).toEqual([Key])
    },
  )

  test.each([
    [{ Tagging: Array.from({ length: 11 }, (_, index) => `t${index}=`).join('&') }, 'BadRequest'],
    [{ ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(start + 1000) }, 'InvalidRequest'],
  ])('an object with %j is refused', async (input, name) => {
    const { put } = await newBucketWorld()
    expect(await failureOf(put('k', 'x', input))).toMatchObject({ name, $metadata: { httpStatusCode: 400 } })
  })

  test('objects can be tagged', async () => {
    const { client, put } = await newBucketWorld()
    const place = { Bucket, Key: 'k' }
    await put('k', 'x', { Tagging: 'a=1&b=two%20words' })
    const tags = async () => (await client.send(new s3.GetObjectTaggingCommand(place))).TagSet
    expect(await tags()).toEqual([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: 'two words' },
    ])
    await client.send(
      new s3.PutObjectTaggingCommand({ ...place, Tagging: { TagSet: [{ Key: 'c', Value: '3' }] } }),
    )
    expect(await tags()).toEqual([{ Key: 'c', Value: '3' }])
    expect((await client.send(new s3.HeadObjectCommand(place))).TagCount).toBe(1)
  })
})

describe('versions', () => {
  test('versions accumulate, are hidden by a delete marker, and are deleted one by one', async () => {
    const { client, put, versions } = await newBucketWorld()
    const place = { Bucket, Key: 'k' }
    await put('k', 'before')
    await client.send(enableVersioning)
    const first = await put('k', 'first')
    const second = await put('k', 'second')
    expect(first.VersionId).toMatch(/^[\w.]{32}$/)
    expect((await versions()).versions.map(({ VersionId }) => VersionId)).toEqual([
      second.VersionId,
      first.VersionId,
      'null',
    ])

    const deleted = await client.send(new s3.DeleteObjectCommand(place))
    expect(deleted).toMatchObject({ DeleteMarker: true, VersionId: expect.any(String) })
    expect(await failureOf(client.send(new s3.GetObjectCommand(place)))).toMatchObject({
      name: 'NoSuchKey',
      $response: { headers: { 'x-amz-delete-marker': 'true' } },
    })
    expect(
      await failureOf(
        client.send(new s3.GetObjectCommand({ ...place, VersionId: String(deleted.VersionId) })),
      ),
    ).toMatchObject({ name: 'MethodNotAllowed', $metadata: { httpStatusCode: 405 } })
    const old = await client.send(new s3.GetObjectCommand({ ...place, VersionId: String(first.VersionId) }))
    expect(await bodyOf(old)).toBe('first')
    expect((await client.send(new s3.ListObjectsV2Command({ Bucket }))).Contents).toBeUndefined()

    const undone = await client.send(
      new s3.DeleteObjectCommand({ ...place, VersionId: String(deleted.VersionId) }),
    )
    expect(undone.DeleteMarker).toBe(true)
    expect(await bodyOf(await client.send(new s3.GetObjectCommand(place)))).toBe('second')
    await client.send(new s3.DeleteObjectCommand({ ...place, VersionId: String(second.VersionId) }))
    expect(await bodyOf(await client.send(new s3.GetObjectCommand(place)))).toBe('first')
  })

  test('without versioning, or while it is suspended, the version null is replaced', async () => {
    const { client, put, versions } = await newBucketWorld()
    await put('k', 'one')
    await put('k', 'two')
    expect((await versions()).versions).toHaveLength(1)
    await client.send(enableVersioning)
    const kept = await put('k', 'three')
    await client.send(suspendVersioning)
    expect((await put('k', 'four')).VersionId).toBe('null')
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'k' }))
    expect(await versions()).toEqual({
      versions: [{ Key: 'k', VersionId: kept.VersionId }],
      markers: [{ Key: 'k', VersionId: 'null' }],
    })
  })

  test.each([
    ['a'.repeat(32), 'NoSuchVersion', 404],
    ['null', 'NoSuchVersion', 404],
  ])('%s is not valid', async (VersionId, name, httpStatusCode) => {
    const { client } = await newBucketWorld()
    const get = new s3.GetObjectCommand({ Bucket, Key: 'k', VersionId })
    expect(await failureOf(client.send(get))).toMatchObject({ name, $metadata: { httpStatusCode } })
  })
})

describe('deleting many objects', () => {
  const remove = (Objects: s3.ObjectIdentifier[], Quiet?: boolean) =>
    new s3.DeleteObjectsCommand({ Bucket, Delete: { Objects, ...(Quiet === undefined ? {} : { Quiet }) } })

  test('the response lists each key, in quiet mode only the keys that were not deleted', async () => {
    const { client, put } = await newBucketWorld({}, { ObjectLockEnabledForBucket: true })
    const { VersionId } = await put('locked', 'x', { ObjectLockLegalHoldStatus: 'ON' })
    const locked = { Key: 'locked', VersionId: String(VersionId) }
    const refusal = { ...locked, Code: 'AccessDenied', Message: expect.stringContaining('object lock') }
    const loud = await client.send(remove([{ Key: 'gone' }, locked]))
    expect(loud.Deleted).toMatchObject([{ Key: 'gone', DeleteMarker: true }])
    expect(loud.Errors).toEqual([refusal])
    const quiet = await client.send(remove([{ Key: 'gone' }, locked], true))
    expect([quiet.Deleted, quiet.Errors]).toEqual([undefined, [refusal]])
  })

  test('a request can have up to 1,000 keys', async () => {
    const { client, put } = await newBucketWorld()
    const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ Key: `k${index}` }))
    for (const { Key } of keys(20)) await put(Key)
    await client.send(remove(keys(1000)))
    expect((await client.send(new s3.ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
    for (const wrong of [keys(1001), []]) {
      expect(await failureOf(client.send(remove(wrong)))).toMatchObject({ name: 'MalformedXML' })
    }
  })
})
