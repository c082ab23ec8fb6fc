import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { clientSettings, failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld, newS3, start } from '../testing/bucket-world.ts'

const create = (name: string, input: object = {}) => new s3.CreateBucketCommand({ Bucket: name, ...input })
const location = (LocationConstraint: string) =>
  ({ CreateBucketConfiguration: { LocationConstraint } }) as Partial<s3.CreateBucketCommandInput>

describe('a bucket', () => {
  test('a bucket in us-east-1 has no location', async () => {
    const { inRegion } = newS3()
    const client = inRegion('us-east-1')
    await client.send(create(Bucket))
    const place = await client.send(new s3.GetBucketLocationCommand({ Bucket }))
    expect(place.LocationConstraint).toBeUndefined()
  })

  test('creating an existing bucket is refused to its owner, except in us-east-1', async () => {
    const { client, inRegion } = await newBucketWorld()
    expect(await failureOf(client.send(create(Bucket)))).toMatchObject({
      name: 'BucketAlreadyOwnedByYou',
      message: 'Your previous request to create the named bucket succeeded and you already own it.',
      $metadata: { httpStatusCode: 409 },
    })
    const virginia = inRegion('us-east-1')
    await virginia.send(create('virginia'))
    await expect(virginia.send(create('virginia'))).resolves.toMatchObject({ Location: '/virginia' })
    expect(await failureOf(virginia.send(create(Bucket)))).toMatchObject({ name: 'BucketAlreadyOwnedByYou' })
  })

  test('a bucket name is unique across all accounts', async () => {
    const { aws } = await newBucketWorld()
    aws.account('222222222222').register({ accessKeyId: 'AKIATWO', secretAccessKey: 'two' })
    const other = new s3.S3Client(clientSettings(aws, { accessKeyId: 'AKIATWO', secretAccessKey: 'two' }))
    expect(await failureOf(other.send(create(Bucket)))).toMatchObject({
      name: 'BucketAlreadyExists',
      $metadata: { httpStatusCode: 409 },
    })
    expect(await failureOf(other.send(new s3.ListObjectsV2Command({ Bucket })))).toMatchObject({
      name: 'AccessDenied',
      $metadata: { httpStatusCode: 403 },
    })
  })

  test('another region or account can reuse the name of a deleted bucket after a while', async () => {
    const { aws, clock, client, inRegion } = await newBucketWorld({
      s3: { durations: { nameReleased: 60_000 } },
    })
    await client.send(new s3.DeleteBucketCommand({ Bucket }))
    const there = () => inRegion('us-west-2').send(create(Bucket))
    expect(await failureOf(there())).toMatchObject({
      name: 'OperationAborted',
      $metadata: { httpStatusCode: 409 },
    })
    await expect(client.send(create(Bucket))).resolves.toBeDefined()
    await client.send(new s3.DeleteBucketCommand({ Bucket }))
    await clock.advance(60_000)
    await expect(there()).resolves.toBeDefined()
    expect(aws.calls.of('s3:CreateBucket').map(({ status }) => status)).toEqual([200, 409, 200, 200])
  })

  test.each([
    ['us-west-2', 'eu-west-1', 'IllegalLocationConstraintException'],
    ['eu-west-1', 'mars', 'InvalidLocationConstraint'],
    ['us-east-1', 'us-east-1', 'InvalidLocationConstraint'],
  ])('a creation from %s in %s is refused', async (region, wanted, name) => {
    const { inRegion } = newS3()
    expect(await failureOf(inRegion(region).send(create(Bucket, location(wanted))))).toMatchObject({
      name,
      $metadata: { httpStatusCode: 400 },
    })
  })

  test.each(['ab', 'Backup', 'a..b', '10.0.0.1', 'xn--a', 'a-', 'a_b', `a${'b'.repeat(63)}`])(
    'the name %s is refused',
    async name => {
      const { inRegion } = newS3()
      const client = inRegion('eu-west-1', { forcePathStyle: true })
      expect(await failureOf(client.send(create(name)))).toMatchObject({ name: 'InvalidBucketName' })
    },
  )

  test('a bucket in a region of another partition accepts a policy with its ARN', async () => {
    const client = newS3().inRegion('eusc-de-east-1')
    await client.send(create(Bucket, location('eusc-de-east-1')))
    const Statement = {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: `arn:aws-eusc:s3:::${Bucket}`,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement })
    await client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy }))
    expect((await client.send(new s3.GetBucketPolicyCommand({ Bucket }))).Policy).toBe(Policy)
  })

  test('a bucket named like a JavaScript property is a normal bucket', async () => {
    const { client } = newS3()
    const name = 'constructor'
    expect(await failureOf(client.send(new s3.GetBucketVersioningCommand({ Bucket: name })))).toMatchObject({
      name: 'NoSuchBucket',
    })
    await client.send(create(name))
    await expect(client.send(new s3.GetBucketVersioningCommand({ Bucket: name }))).resolves.toBeDefined()
  })

  test('a bucket can be deleted only if it has no object versions', async () => {
    const { client, put, versions } = await newBucketWorld()
    await put('a')
    const deletion = () => client.send(new s3.DeleteBucketCommand({ Bucket }))
    expect(await failureOf(deletion())).toMatchObject({
      name: 'BucketNotEmpty',
      message: 'The bucket you tried to delete is not empty',
      $metadata: { httpStatusCode: 409 },
    })
    await client.send(
      new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
    )
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'a' }))
    expect(await failureOf(deletion())).toMatchObject({
      message: 'The bucket you tried to delete is not empty. You must delete all versions in the bucket.',
    })
    const { versions: old, markers } = await versions()
    for (const each of [...old, ...markers])
      await client.send(new s3.DeleteObjectCommand({ Bucket, ...each }))
    await deletion()
    expect(await failureOf(deletion())).toMatchObject({
      name: 'NoSuchBucket',
      message: 'The specified bucket does not exist',
      BucketName: Bucket,
      $metadata: { httpStatusCode: 404 },
    })
  })

  test('buckets are listed by name, prefix and region, in pages', async () => {
    const { client, inRegion } = newS3()
    for (const name of ['b-1', 'a-1', 'b-2']) await client.send(create(name))
    await inRegion('us-west-2').send(create('b-0'))
    const list = async (input: s3.ListBucketsCommandInput) =>
      client.send(new s3.ListBucketsCommand(input)).then(({ Buckets }) => Buckets?.map(({ Name }) => Name))
    expect(await list({})).toEqual(['a-1', 'b-0', 'b-1', 'b-2'])
    expect(await list({ Prefix: 'b', BucketRegion: 'eu-west-1' })).toEqual(['b-1', 'b-2'])
    const pages: (string | undefined)[][] = []
    for await (const page of s3.paginateListBuckets({ client, pageSize: 3 }, {})) {
      pages.push((page.Buckets ?? []).map(({ Name }) => Name))
    }
    expect(pages).toEqual([['a-1', 'b-0', 'b-1'], ['b-2']])
  })
})

describe('a bucket of another region', () => {
  const read = new s3.GetBucketVersioningCommand({ Bucket })

  test('the bucket redirects callers to its own endpoint', async () => {
    const { inRegion } = await newBucketWorld()
    const failure = await failureOf(inRegion('us-west-2').send(read))
    expect(failure).toMatchObject({
      name: 'PermanentRedirect',
      message: expect.stringContaining('must be addressed using the specified endpoint'),
      Endpoint: 'backup.s3.eu-west-1.amazonaws.com',
      Bucket,
      HostId: expect.any(String),
      $metadata: { httpStatusCode: 301 },
      $response: { headers: { 'x-amz-bucket-region': 'eu-west-1' } },
    })
  })

  test('clients that follow redirects find the bucket', async () => {
    const { inRegion, aws } = await newBucketWorld()
    await inRegion('us-west-2', { followRegionRedirects: true }).send(read)
    expect(aws.calls.of('s3:GetBucketVersioning').map(({ status, region }) => [status, region])).toEqual([
      [301, 'us-west-2'],
      [200, 'eu-west-1'],
    ])
  })

  test('no region finds the bucket by a host name if the request is signed for another region', async () => {
    const { aws } = await newBucketWorld()
    const signed = (endpoint: string) =>
      new s3.S3Client({ ...clientSettings(aws), region: 'us-east-1', endpoint }).send(read)
    expect(await failureOf(signed('https://s3.eu-west-1.amazonaws.com'))).toMatchObject({
      name: 'AuthorizationHeaderMalformed',
      message:
        "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-west-1'",
      Region: 'eu-west-1',
      $metadata: { httpStatusCode: 400 },
    })
    expect(await failureOf(signed('https://s3.amazonaws.com'))).toMatchObject({
      name: 'AuthorizationHeaderMalformed',
      Region: 'eu-west-1',
    })
  })
})

test('a snapshot is JSON and restores objects, locks and rules', async () => {
  const { aws, client, put } = await newBucketWorld()
  await put('bytes', Uint8Array.from([0, 255, 128]), { Metadata: { kind: 'raw' } })
  await client.send(
    new s3.PutBucketLifecycleConfigurationCommand({
      Bucket,
      LifecycleConfiguration: {
        Rules: [
          {
            ID: 'r',
            Status: 'Enabled',
            Filter: { Prefix: 'x' },
            Expiration: { Date: new Date('2027-01-01') },
          },
        ],
      },
    }),
  )
  const snapshot = JSON.parse(JSON.stringify(aws.account().snapshot()))
  await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'bytes' }))
  aws.account().restore(snapshot)
  const { Body, Metadata, LastModified } = await client.send(
    new s3.GetObjectCommand({ Bucket, Key: 'bytes' }),
  )
  const { Rules } = await client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket }))
  expect([...((await Body?.transformToByteArray()) ?? [])]).toEqual([0, 255, 128])
  expect([Metadata, LastModified]).toEqual([{ kind: 'raw' }, new Date(start)])
  expect(Rules?.[0]?.Expiration?.Date).toEqual(new Date('2027-01-01'))
})

test('permissions have the names of policies, not of the operations', async () => {
  const { aws } = await newBucketWorld()
  const key = { accessKeyId: 'AKIAREAD', secretAccessKey: 'x' }
  aws.account().register({ ...key, user: 'reader', allow: ['s3:ListBucket', 's3:GetObject'] })
  const client = new s3.S3Client(clientSettings(aws, key))
  await expect(client.send(new s3.ListObjectsV2Command({ Bucket }))).resolves.toBeDefined()
  await expect(client.send(new s3.HeadBucketCommand({ Bucket }))).resolves.toBeDefined()
  expect(await failureOf(client.send(new s3.GetBucketEncryptionCommand({ Bucket })))).toMatchObject({
    name: 'AccessDenied',
    message:
      'User: arn:aws:iam::123456789012:user/reader is not authorized to perform: s3:GetEncryptionConfiguration on resource: "arn:aws:s3:::backup" because no identity-based policy allows the s3:GetEncryptionConfiguration action',
  })
})

test('errors that S3 has for all operations have its own wording', async () => {
  const { aws, client, inRegion } = await newBucketWorld()
  aws.account().register({ accessKeyId: 'AKIAKNOWN', secretAccessKey: 'right' })
  const wrong = new s3.S3Client(clientSettings(aws, { accessKeyId: 'AKIAKNOWN', secretAccessKey: 'wrong' }))
  expect(await failureOf(wrong.send(new s3.ListBucketsCommand({})))).toMatchObject({
    name: 'SignatureDoesNotMatch',
    $metadata: { httpStatusCode: 403 },
  })
  expect(await failureOf(client.send(new s3.GetBucketWebsiteCommand({ Bucket })))).toMatchObject({
    name: 'NotImplemented',
    message: expect.stringContaining('GetBucketWebsite'),
    $metadata: { httpStatusCode: 501 },
  })
  expect(
    await failureOf(
      client.send(new s3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', WebsiteRedirectLocation: '/x' })),
    ),
  ).toMatchObject({ message: 'The simulator does not support the parameter WebsiteRedirectLocation.' })
  aws.faults.add({ effect: { kind: 'throttle' } })
  expect(await failureOf(inRegion('eu-west-1').send(new s3.ListBucketsCommand({})))).toMatchObject({
    name: 'SlowDown',
    $metadata: { httpStatusCode: 503 },
  })
  expect(aws.notBuilt.take()).toEqual([
    's3:GetBucketWebsite',
    's3:PutObject: the parameter WebsiteRedirectLocation',
  ])
})
