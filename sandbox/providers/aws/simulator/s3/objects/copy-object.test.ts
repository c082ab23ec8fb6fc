import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'

const setUp = async (input: object = {}) => {
  const world = await newBucketWorld({}, input)
  await world.put('a b/from', 'hello', {
    Metadata: { by: 'etcd' },
    ContentType: 'text/plain',
    Tagging: 'k=v',
  })
  const copy = (more: Partial<CopyObjectCommandInput> = {}) =>
    world.client.send(
      new CopyObjectCommand({ Bucket, Key: 'to', CopySource: `${Bucket}/a%20b/from`, ...more }),
    )
  const read = async (Key = 'to') => {
    const found = await world.client.send(new GetObjectCommand({ Bucket, Key }))
    const tags = await world.client.send(new GetObjectTaggingCommand({ Bucket, Key }))
    return {
      body: await found.Body?.transformToString(),
      metadata: found.Metadata,
      type: found.ContentType,
      tags: tags.TagSet?.map(tag => `${tag.Key}=${tag.Value}`),
    }
  }
  return { ...world, copy, read }
}

describe('copies of objects', () => {
  test('a copy has the bytes, the headers and the tags of its source', async () => {
    const { copy, read } = await setUp()
    const { CopyObjectResult } = await copy()
    expect(CopyObjectResult?.ETag).toBe('"5d41402abc4b2a76b9719d911017c592"')
    expect(await read()).toEqual({
      body: 'hello',
      metadata: { by: 'etcd' },
      type: 'text/plain',
      tags: ['k=v'],
    })
  })

  test('a copy has the headers and tags of the request if the request replaces them', async () => {
    const { copy, read } = await setUp()
    await copy({
      MetadataDirective: 'REPLACE',
      Metadata: { by: 'me' },
      TaggingDirective: 'REPLACE',
      Tagging: 'other=1',
    })
    expect(await read()).toMatchObject({ body: 'hello', metadata: { by: 'me' }, tags: ['other=1'] })
  })

  test('a copy can be made from an older version and reports its version id', async () => {
    const { copy, put, read, versions } = await setUp({ ObjectLockEnabledForBucket: true })
    const [old] = (await versions()).versions
    await put('a b/from', 'newer')
    const made = await copy({ CopySource: `${Bucket}/a%20b/from?versionId=${old?.VersionId}` })
    expect(made).toMatchObject({ CopySourceVersionId: old?.VersionId, VersionId: expect.any(String) })
    expect(await read()).toMatchObject({ body: 'hello' })
  })

  test.each<[string, Partial<CopyObjectCommandInput>, string, number]>([
    ['of a missing object', { CopySource: `${Bucket}/none` }, 'NoSuchKey', 404],
    ['from a missing bucket', { CopySource: 'nowhere-at-all/x' }, 'NoSuchBucket', 404],
    ['without a key', { CopySource: Bucket }, 'InvalidArgument', 400],
    ['onto itself', { Key: 'a b/from' }, 'InvalidRequest', 400],
    ['of an object with another ETag', { CopySourceIfMatch: '"0"' }, 'PreconditionFailed', 412],
    [
      'of an unchanged object',
      { CopySourceIfNoneMatch: '"5d41402abc4b2a76b9719d911017c592"' },
      'PreconditionFailed',
      412,
    ],
  ])('a copy %s is refused', async (_, input, name, status) => {
    const { copy } = await setUp()
    expect(await failureOf(copy(input))).toMatchObject({ name, $metadata: { httpStatusCode: status } })
  })

  test('a copy of a range can be a part of an upload', async () => {
    const { client, read } = await setUp()
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'to' }))
    const { CopyPartResult } = await client.send(
      new UploadPartCopyCommand({
        Bucket,
        Key: 'to',
        UploadId,
        PartNumber: 1,
        CopySource: `${Bucket}/a%20b/from`,
        CopySourceRange: 'bytes=1-3',
      }),
    )
    const Parts = [{ PartNumber: 1, ETag: CopyPartResult?.ETag }]
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key: 'to', UploadId, MultipartUpload: { Parts } }),
    )
    expect(await read()).toMatchObject({ body: 'ell' })
  })
})
