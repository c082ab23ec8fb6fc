import {
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeletePublicAccessBlockCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import type { AwsOptions } from '../../simulator.ts'
import { clientSettings, failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'

const both = [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`]
const friend = 'arn:aws:iam::123456789012:user/friend'

/** Creates a bucket with objects and a policy. `as` returns a client of a user with the given policies. */
const withPolicy = async (statements: readonly object[], options: AwsOptions = {}) => {
  const world = await newBucketWorld(options)
  await world.put('etcd/1')
  await world.put('etcd/2')
  const as = (user: string, allow: readonly string[], account = '123456789012') => {
    const key = { accessKeyId: `AKIA${user.toUpperCase()}`, secretAccessKey: 's' }
    world.aws.account(account).register({ ...key, user, allow })
    return new S3Client(clientSettings(world.aws, key))
  }
  await world.client.send(new DeletePublicAccessBlockCommand({ Bucket }))
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: statements })
  await world.client.send(new PutBucketPolicyCommand({ Bucket, Policy }))
  return { ...world, as }
}

const read = (client: S3Client, Key = 'etcd/1') => client.send(new GetObjectCommand({ Bucket, Key }))
const denied = { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }

/** The policy of a Gardener backup bucket, with its two conditions in separate statements or in one. */
const gardener = (...conditions: readonly object[]) =>
  conditions.map(Condition => ({ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: both, Condition }))
const insecure = { Bool: { 'aws:SecureTransport': 'false' } }
const oldTls = { NumericLessThan: { 's3:TlsVersion': '1.2' } }

describe('the policy of a backup bucket', () => {
  test.each<[what: string, transport: object, together: boolean, allowed: boolean]>([
    ['a request as all are', {}, false, true],
    ['a request with TLS 1.2', { tlsVersion: '1.2' }, false, true],
    ['a request with TLS 1.1', { tlsVersion: '1.1' }, false, false],
    ['a request in the clear', { secure: false }, false, false],
    // In one statement both conditions must match, but a plain HTTP request has no TLS version. This is a gap of such
    // policies.
    ['a request with TLS 1.1', { tlsVersion: '1.1' }, true, true],
    ['a request in the clear', { secure: false }, true, true],
  ])('the policy evaluates %s (%j, in one statement: %s)', async (_, transport, together, allowed) => {
    const conditions = together ? [{ ...insecure, ...oldTls }] : [insecure, oldTls]
    const { client } = await withPolicy(gardener(...conditions), { s3: { transport } })
    if (allowed) expect((await read(client)).ETag).toBeDefined()
    else expect(await failureOf(read(client))).toMatchObject(denied)
  })
})

describe('a Deny statement', () => {
  const keep = {
    Effect: 'Deny',
    Principal: '*',
    Action: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
    Resource: `arn:aws:s3:::${Bucket}/etcd/1`,
  }

  test('the error has AWS’s words', async () => {
    const { client } = await withPolicy([keep])
    const refused = await failureOf(client.send(new DeleteObjectCommand({ Bucket, Key: 'etcd/1' })))
    expect(refused).toMatchObject(denied)
    expect(refused.message).toBe(
      'User: arn:aws:iam::123456789012:user/trellis is not authorized to perform: s3:DeleteObject on resource: "arn:aws:s3:::backup/etcd/1" with an explicit deny in a resource-based policy',
    )
  })

  test('the statement denies only its actions and its resources', async () => {
    const { client } = await withPolicy([keep])
    expect((await read(client)).ETag).toBeDefined()
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'etcd/2' }))
  })

  test('the statement denies each key of a multi-object deletion separately', async () => {
    const { client } = await withPolicy([keep])
    const Objects = [{ Key: 'etcd/1' }, { Key: 'etcd/2' }]
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['etcd/2'])
    expect(Errors?.map(({ Key, Code }) => [Key, Code])).toEqual([['etcd/1', 'AccessDenied']])
  })

  test('the statement overrides an Allow statement', async () => {
    const allow = { Effect: 'Allow', Principal: { AWS: friend }, Action: 's3:*', Resource: both }
    const { as } = await withPolicy([{ ...keep, Action: 's3:Get*' }, allow])
    expect(await failureOf(read(as('friend', ['*'])))).toMatchObject(denied)
    expect((await read(as('friend', ['*']), 'etcd/2')).ETag).toBeDefined()
  })

  test('the statement can exempt principals', async () => {
    const but = { Effect: 'Deny', NotPrincipal: { AWS: friend }, NotAction: 's3:ListBucket', Resource: both }
    const { as } = await withPolicy([but])
    expect((await read(as('friend', ['*']))).ETag).toBeDefined()
    const other = as('other', ['*'])
    expect(await failureOf(read(other))).toMatchObject(denied)
    expect((await other.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(2)
  })

  test('the statement denies HEAD without an error body', async () => {
    const { client } = await withPolicy([{ ...keep, Action: 's3:GetObject' }])
    const head = client.send(new HeadObjectCommand({ Bucket, Key: 'etcd/1' }))
    expect(await failureOf(head)).toMatchObject({ $metadata: { httpStatusCode: 403 } })
  })
})

describe('an Allow statement', () => {
  const allow = (AWS: string) => ({
    Effect: 'Allow',
    Principal: { AWS },
    Action: 's3:GetObject',
    Resource: `arn:aws:s3:::${Bucket}/*`,
  })

  test('the statement is enough for a user of the account whom it names', async () => {
    const { as } = await withPolicy([allow(friend)])
    expect((await read(as('friend', []))).ETag).toBeDefined()
    expect(await failureOf(read(as('other', [])))).toMatchObject(denied)
    const list = as('friend', []).send(new ListObjectsV2Command({ Bucket }))
    expect(await failureOf(list)).toMatchObject(denied)
  })

  test('a statement that names the account leaves the decision to the policies of the account', async () => {
    const { as } = await withPolicy([allow('123456789012')])
    expect(await failureOf(read(as('friend', [])))).toMatchObject(denied)
    expect((await read(as('friend', ['s3:Get*']))).ETag).toBeDefined()
  })

  test.each(['arn:aws:iam::210987654321:root', '210987654321', 'arn:aws:iam::210987654321:user/guest', '*'])(
    'the statement gives another account access if its own policies do too: %s',
    async name => {
      const { as } = await withPolicy([allow(name)])
      expect((await read(as('guest', ['s3:*'], '210987654321'))).ETag).toBeDefined()
      expect(await failureOf(read(as('guest', [], '210987654321')))).toMatchObject(denied)
      const stranger = await read(as('stranger', ['*'], '333333333333')).then(
        () => 'in',
        () => 'out',
      )
      expect(stranger).toBe(name === '*' ? 'in' : 'out')
    },
  )

  test.each([
    ['read', new GetBucketPolicyCommand({ Bucket })],
    ['deleted', new DeleteBucketPolicyCommand({ Bucket })],
  ])('a bucket policy cannot be %s by another account, whatever it allows', async (_, command) => {
    const all = { ...allow('210987654321'), Action: 's3:*', Resource: `arn:aws:s3:::${Bucket}` }
    const { client, as } = await withPolicy([all])
    const send = (name: string, actions: string[], account?: string) =>
      failureOf(as(name, actions, account).send(command as GetBucketPolicyCommand))
    expect(await send('guest', ['s3:*'], '210987654321')).toMatchObject({
      name: 'MethodNotAllowed',
      $metadata: { httpStatusCode: 405 },
    })
    expect(await send('poor', [], '210987654321')).toMatchObject(denied)
    expect((await client.send(new GetBucketPolicyCommand({ Bucket }))).Policy).toContain('210987654321')
  })

  test('restricted public policies give no other account access', async () => {
    const { client, as } = await withPolicy([allow('*')])
    const restricted = new PutPublicAccessBlockCommand({
      Bucket,
      PublicAccessBlockConfiguration: { RestrictPublicBuckets: true },
    })
    await client.send(restricted)
    expect(await failureOf(read(as('guest', ['*'], '210987654321')))).toMatchObject(denied)
    expect((await read(as('friend', []))).ETag).toBeDefined()
  })
})

test('a policy with an unknown condition is refused', async () => {
  const statement = { ...gardener({ StringAlmostEquals: { 's3:prefix': 'a' } })[0] }
  expect(await failureOf(withPolicy([statement]))).toMatchObject({
    name: 'MalformedPolicy',
    $metadata: { httpStatusCode: 400 },
  })
})
