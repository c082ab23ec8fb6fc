import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'

const statement = {
  Effect: 'Deny',
  Principal: '*',
  Action: 's3:*',
  Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
}
const policyOf = (...statements: object[]) => JSON.stringify({ Version: '2012-10-17', Statement: statements })

describe('bucket policies', () => {
  test('a policy is returned as it was sent, until it is deleted', async () => {
    const { client } = await newBucketWorld()
    const Policy = policyOf(statement)
    const read = () => client.send(new s3.GetBucketPolicyCommand({ Bucket }))
    const missing = { name: 'NoSuchBucketPolicy', $metadata: { httpStatusCode: 404 } }
    expect(await failureOf(read())).toMatchObject(missing)
    await client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy }))
    expect((await read()).Policy).toBe(Policy)
    await client.send(new s3.DeleteBucketPolicyCommand({ Bucket }))
    expect(await failureOf(read())).toMatchObject(missing)
  })

  test.each([
    ['{', "Policies must be valid JSON and the first byte must be '{'"],
    [policyOf({ ...statement, Effect: undefined }), 'Missing required field Effect'],
    [policyOf({ ...statement, Principal: undefined }), 'Missing required field Principal'],
    [policyOf({ ...statement, Principal: { AWS: 'nobody' } }), 'Invalid principal in policy'],
    [policyOf({ ...statement, Action: undefined }), 'Missing required field Action'],
    [policyOf({ ...statement, Action: 'ec2:*' }), 'Policy has invalid action'],
    [policyOf({ ...statement, Resource: 'arn:aws:s3:::other/*' }), 'Policy has invalid resource'],
    [policyOf({ ...statement, Extra: 1 }), 'Unknown field Extra'],
    [
      JSON.stringify({ Version: '2013-01-01', Statement: [statement] }),
      'The policy must contain a valid version string',
    ],
  ])('a policy is malformed: %s', async (Policy, message) => {
    const { client } = await newBucketWorld()
    expect(await failureOf(client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy })))).toMatchObject({
      name: 'MalformedPolicy',
      message,
      $metadata: { httpStatusCode: 400 },
    })
  })

  test('a public policy requires that the public access block is off', async () => {
    const { client } = await newBucketWorld()
    const { Condition: _, ...open } = { ...statement, Effect: 'Allow' }
    const put = () => client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy: policyOf(open) }))
    expect(await failureOf(put())).toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('BlockPublicPolicy'),
    })
    await client.send(new s3.DeletePublicAccessBlockCommand({ Bucket }))
    await put()
    expect(await failureOf(client.send(new s3.GetPublicAccessBlockCommand({ Bucket })))).toMatchObject({
      name: 'NoSuchPublicAccessBlockConfiguration',
    })
  })
})

describe('encryption', () => {
  const put = (...Rules: s3.ServerSideEncryptionRule[]) =>
    new s3.PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } })

  test('the encryption of a bucket applies to new objects', async () => {
    const { client, put: putObject } = await newBucketWorld()
    const rule = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: 'arn:aws:kms:eu-west-1:1:key/k' } as const
    await client.send(put({ ApplyServerSideEncryptionByDefault: rule, BucketKeyEnabled: true }))
    expect(await putObject('a')).toMatchObject({ ServerSideEncryption: 'aws:kms' })
  })

  test.each([[[], 'MalformedXML']])('the encryption cannot be set to %j', async (rules, name) => {
    const { client } = await newBucketWorld()
    expect(await failureOf(client.send(put(...(rules as s3.ServerSideEncryptionRule[]))))).toMatchObject({
      name,
    })
  })
})
