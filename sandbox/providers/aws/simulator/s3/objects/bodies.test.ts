import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { Readable } from 'node:stream'
import * as s3 from '@aws-sdk/client-s3'
import { afterEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../service.ts'
import { createAws } from '../../simulator.ts'
import { clientSettings, failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'
import { unchunk } from './bodies/unchunk.ts'

const text = 'a body of some length'
const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=0'

describe('the digest of a body', () => {
  test.each([
    [{ ContentMD5: createHash('md5').update('other').digest('base64') }, 'BadDigest'],
    [{ ChecksumSHA256: createHash('sha256').update('other').digest('base64') }, 'BadDigest'],
    [{ ChecksumCRC32C: 'AAAAAA==' }, 'BadDigest'],
    [{ ChecksumXXHASH64: 'AAAAAAAAAAA=' }, 'NotImplemented'],
  ])('a wrong digest is refused: %j', async (digest, name) => {
    const { aws, client, put } = await newBucketWorld()
    expect(await failureOf(put('k', text, digest))).toMatchObject({ name })
    expect(aws.notBuilt.take()).toHaveLength(name === 'NotImplemented' ? 1 : 0)
    expect((await client.send(new s3.ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
  })

  test.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)(
    '%s is stored with the object, and the SDK verifies it on reading',
    async ChecksumAlgorithm => {
      const { client, put } = await newBucketWorld()
      const written = await put('k', text, { ChecksumAlgorithm })
      const read = await client.send(new s3.GetObjectCommand({ Bucket, Key: 'k', ChecksumMode: 'ENABLED' }))
      expect(await read.Body?.transformToString()).toBe(text)
      expect(read[`Checksum${ChecksumAlgorithm}`]).toBe(written[`Checksum${ChecksumAlgorithm}`])
      expect(written[`Checksum${ChecksumAlgorithm}`]).toBeDefined()
    },
  )

  test('CRC64NVME is computed by S3 if a client sends no digest', async () => {
    const { inRegion } = await newBucketWorld()
    const plain = inRegion('eu-west-1', { requestChecksumCalculation: 'WHEN_REQUIRED' })
    const written = await plain.send(new s3.PutObjectCommand({ Bucket, Key: 'k', Body: '123456789' }))
    expect(written).toMatchObject({ ChecksumCRC64NVME: 'rosUhgp5mIg=', ChecksumType: 'FULL_OBJECT' })
  })

  test('a digest is required if objects are locked', async () => {
    const { inRegion } = await newBucketWorld({}, { ObjectLockEnabledForBucket: true })
    const plain = inRegion('eu-west-1', { requestChecksumCalculation: 'WHEN_REQUIRED' })
    const hold = { ObjectLockLegalHoldStatus: 'ON' } as const
    expect(
      await failureOf(plain.send(new s3.PutObjectCommand({ Bucket, Key: 'k', Body: text, ...hold }))),
    ).toMatchObject({
      name: 'InvalidRequest',
      message: expect.stringContaining('Content-MD5 OR x-amz-checksum-'),
    })
  })
})

describe('a chunked body', () => {
  const chunked = (body: string) => () => unchunk(Buffer.from(body))

  test('the chunks are joined, and the trailing headers are read', () => {
    const { data, trailers } = unchunk(
      Buffer.from(
        '5;chunk-signature=abc\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n',
      ),
    )
    expect(Buffer.from(data).toString()).toBe('hello world')
    expect(trailers).toEqual({ 'x-amz-checksum-crc32': 'NhCmhg==' })
  })

  test.each(['', '5\r\nhel', '5\r\nhello\r\n', 'zz\r\nhello\r\n0\r\n\r\n', 'ffffffff\r\n'])(
    'a truncated or invalid body is refused: %j',
    body => {
      expect(chunked(body)).toThrow(ServiceError)
      expect(chunked(body)).toThrow(/IncompleteBody/)
    },
  )
})

describe('S3 over HTTP', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  const listening = async () => {
    const aws = createAws()
    aws.account().register({ accessKeyId: 'AKIAKNOWN', secretAccessKey: 'right' })
    const { url, port, close } = await aws.listen()
    closers.push(close)
    const key = { accessKeyId: 'AKIAKNOWN', secretAccessKey: 'right' }
    const clientAt = (endpoint: string, more: object = {}) =>
      new s3.S3Client({ ...clientSettings(aws, { ...key, endpoint }), ...more })
    return { aws, url, port, clientAt }
  }

  test('a stream is sent in chunks with a trailing checksum, and read as a stream', async () => {
    const { aws, url, clientAt } = await listening()
    const client = clientAt(url)
    await client.send(new s3.CreateBucketCommand({ Bucket }))
    const bytes = Buffer.alloc(300_000, 'chunk')
    const Body = Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)])
    await client.send(new s3.PutObjectCommand({ Bucket, Key: 'k', Body, ContentLength: bytes.length }))
    const got = await client.send(new s3.GetObjectCommand({ Bucket, Key: 'k' }))
    expect(bytes.equals(Buffer.from((await got.Body?.transformToByteArray()) ?? []))).toBe(true)
    expect(got.ContentEncoding).toBeUndefined()
    expect(aws.calls.of('s3:PutObject')[0]?.input).toMatchObject({
      Body: '300000 bytes',
      ChecksumCRC32: expect.any(String),
    })
  })

  test.each(['backup.s3.eu-west-1.amazonaws.com', 'backup.localhost:4566'])(
    'the host can contain the bucket: %s',
    async host => {
      const { port, url, clientAt } = await listening()
      await clientAt(url).send(new s3.CreateBucketCommand({ Bucket }))
      const status = await new Promise((resolve, reject) => {
        const headers = { host, authorization }
        get({ port, host: '127.0.0.1', path: '/?versioning', headers }, answer => {
          answer.resume()
          resolve(answer.statusCode)
        }).on('error', reject)
      })
      expect(status).toBe(200)
    },
  )

  test('a body that was changed in transit is refused', async () => {
    const { aws, url } = await listening()
    const client = new s3.S3Client(clientSettings(aws, { endpoint: url }))
    await client.send(new s3.CreateBucketCommand({ Bucket }))
    client.middlewareStack.add(
      next => args => {
        const request = args.request as { body: unknown }
        request.body = 'changed'.padEnd(text.length)
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low', name: 'changeBody' },
    )
    const put = client.send(new s3.PutObjectCommand({ Bucket, Key: 'k', Body: text }))
    expect(await failureOf(put)).toMatchObject({
      name: 'XAmzContentSHA256Mismatch',
      $metadata: { httpStatusCode: 400 },
    })
  })

  test('a malformed body is refused in S3’s format', async () => {
    const { aws, url } = await listening()
    const client = new s3.S3Client(clientSettings(aws, { endpoint: url }))
    await client.send(new s3.CreateBucketCommand({ Bucket }))
    const answer = await fetch(`${url}/${Bucket}?versioning`, {
      method: 'PUT',
      headers: { authorization },
      body: '<VersioningConfiguration><Status>',
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(
      /^<\?xml[^>]*>\s*<Error><Code>MalformedXML<\/Code><Message>.*<\/Message><RequestId>.+<\/RequestId><HostId>.+<\/HostId><\/Error>$/s,
    )
  })
})
