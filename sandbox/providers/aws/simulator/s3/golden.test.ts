import * as s3 from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { type RecordedCall, recordedAccountOf, recordedCalls } from '../../../../../test/recorded/recorded.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'

const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=00'

const play = async (url: string, { http = '', body }: RecordedCall): Promise<string | undefined> => {
  const [method = 'GET', path = '/'] = http.split(' ')
  const init = { method, headers: { authorization }, ...(body === undefined ? {} : { body }) }
  const text = await (await fetch(url + path, init)).text()
  return /<Error>.*<Code>(.*)<\/Code>/s.exec(text)?.[1]
}

test('the calls of the Go extension make its bucket', async () => {
  const aws = createAws()
  const client = new s3.S3Client(clientSettings(aws))
  const server = await aws.listen()
  const calls = recordedCalls('backupbucket/plain')
  const made = recordedAccountOf('backupbucket/plain') as Readonly<
    Record<
      | 'get_bucket_encryption'
      | 'get_public_access_block'
      | 'get_bucket_policy'
      | 'get_bucket_lifecycle_configuration'
      | 'get_bucket_location',
      object
    >
  >
  const bucket = { Bucket: 'cloud--aws--plain' }
  try {
    for (const call of [...(calls.create ?? []), ...(calls.idle ?? [])])
      expect(await play(server.url, call)).toBe(call.error)
    const encryption = await client.send(new s3.GetBucketEncryptionCommand(bucket))
    const access = await client.send(new s3.GetPublicAccessBlockCommand(bucket))
    const policy = await client.send(new s3.GetBucketPolicyCommand(bucket))
    const lifecycle = await client.send(new s3.GetBucketLifecycleConfigurationCommand(bucket))
    const place = await client.send(new s3.GetBucketLocationCommand(bucket))
    expect(encryption).toMatchObject(made.get_bucket_encryption)
    expect(access).toMatchObject(made.get_public_access_block)
    expect(JSON.parse(policy.Policy ?? '')).toEqual(made.get_bucket_policy)
    expect(lifecycle).toMatchObject(made.get_bucket_lifecycle_configuration)
    expect(place).toMatchObject(made.get_bucket_location)
    expect(await failureOf(client.send(new s3.GetObjectLockConfigurationCommand(bucket)))).toMatchObject({
      name: 'ObjectLockConfigurationNotFoundError',
    })
    for (const call of calls.delete ?? []) expect(await play(server.url, call)).toBe(call.error)
    expect((await client.send(new s3.ListBucketsCommand({}))).Buckets).toEqual([])
  } finally {
    await server.close()
  }
})
