import * as s3 from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'

const fiveMebibytes = 5 * 1024 * 1024
const Key = 'large'

const newUpload = async (input: object = {}) => {
  const world = await newBucketWorld()
  const { client } = world
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key, ...input }))
  const upload = { Bucket, Key, UploadId: String(UploadId) }
  const part = async (PartNumber: number, Body: Uint8Array | string) => {
    const { ETag } = await client.send(new s3.UploadPartCommand({ ...upload, PartNumber, Body }))
    return { PartNumber, ETag: String(ETag) }
  }
  const complete = (Parts: s3.CompletedPart[]) =>
    client.send(new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  return { ...world, upload, part, complete }
}

test('an upload in parts becomes one object', async () => {
  const { client, complete, part } = await newUpload({ Metadata: { a: 'b' } })
  const first = Buffer.alloc(fiveMebibytes, 'a')
  const parts = [await part(2, 'end'), await part(1, first)].toReversed()
  const done = await complete(parts)
  expect(done.ETag).toMatch(/^"[0-9a-f]{32}-2"$/)
  const got = await client.send(new s3.GetObjectCommand({ Bucket, Key }))
  const body = Buffer.from((await got.Body?.transformToByteArray()) ?? [])
  expect(body.equals(Buffer.concat([first, Buffer.from('end')]))).toBe(true)
  expect(got).toMatchObject({ Metadata: { a: 'b' }, ETag: done.ETag })
  expect((await client.send(new s3.ListMultipartUploadsCommand({ Bucket }))).Uploads).toBeUndefined()
})

test('missing, too small or unordered parts are refused', async () => {
  const { complete, part } = await newUpload()
  const small = await part(1, 'small')
  const next = await part(2, 'end')
  expect(await failureOf(complete([small, next]))).toMatchObject({ name: 'EntityTooSmall' })
  expect(await failureOf(complete([next, small]))).toMatchObject({ name: 'InvalidPartOrder' })
  expect(await failureOf(complete([{ PartNumber: 3, ETag: 'x' }]))).toMatchObject({ name: 'InvalidPart' })
  expect(await failureOf(complete([{ ...small, ETag: '"other"' }]))).toMatchObject({ name: 'InvalidPart' })
  expect(await failureOf(complete([]))).toMatchObject({ name: 'MalformedXML' })
  await expect(complete([next])).resolves.toBeDefined()
})

test('an aborted upload disappears and never blocks the deletion of its bucket', async () => {
  const { client, part, upload } = await newUpload()
  await part(1, 'x')
  const { Uploads } = await client.send(new s3.ListMultipartUploadsCommand({ Bucket }))
  expect(Uploads).toMatchObject([{ Key, UploadId: upload.UploadId }])
  await client.send(new s3.AbortMultipartUploadCommand(upload))
  expect(await failureOf(part(2, 'y'))).toMatchObject({
    name: 'NoSuchUpload',
    $metadata: { httpStatusCode: 404 },
  })
  await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key: 'other' }))
  await client.send(new s3.DeleteBucketCommand({ Bucket }))
})

test.each([
  ['SHA256', 'COMPOSITE'],
  ['CRC32', 'COMPOSITE'],
  ['CRC64NVME', 'FULL_OBJECT'],
] as const)('the checksum %s of an upload is %s', async (ChecksumAlgorithm, type) => {
  const { client, complete, part, upload } = await newUpload({ ChecksumAlgorithm })
  const Body = Buffer.alloc(fiveMebibytes, 'a')
  const sent = await client.send(
    new s3.UploadPartCommand({ ...upload, PartNumber: 1, Body, ChecksumAlgorithm }),
  )
  await complete([{ PartNumber: 1, ETag: String(sent.ETag) }, await part(2, 'end')])
  const head = await client.send(new s3.HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }))
  expect(head.ChecksumType).toBe(type)
  expect(head[`Checksum${ChecksumAlgorithm}`]).toMatch(type === 'COMPOSITE' ? /-2$/ : /^[^-]+$/)
})
