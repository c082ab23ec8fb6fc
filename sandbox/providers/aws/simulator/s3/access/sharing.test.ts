import {
  type CORSRule,
  DeleteBucketCorsCommand,
  GetBucketAclCommand,
  GetBucketCorsCommand,
  GetBucketOwnershipControlsCommand,
  GetObjectAclCommand,
  PutBucketAclCommand,
  PutBucketCorsCommand,
  PutObjectAclCommand,
} from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { Bucket, newBucketWorld } from '../testing/bucket-world.ts'

describe('access control lists', () => {
  test('an ACL gives the owner full control', async () => {
    const { client, put } = await newBucketWorld()
    await put('key')
    const acl = await client.send(new GetBucketAclCommand({ Bucket }))
    expect(acl.Grants).toEqual([
      { Grantee: { ID: acl.Owner?.ID, Type: 'CanonicalUser' }, Permission: 'FULL_CONTROL' },
    ])
    expect((await client.send(new GetObjectAclCommand({ Bucket, Key: 'key' }))).Grants).toEqual(acl.Grants)
    const { OwnershipControls } = await client.send(new GetBucketOwnershipControlsCommand({ Bucket }))
    expect(OwnershipControls?.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }])
  })

  test('an ACL cannot be changed', async () => {
    const { client, put } = await newBucketWorld()
    await put('key')
    const refused = { name: 'AccessControlListNotSupported', $metadata: { httpStatusCode: 400 } }
    const open = new PutBucketAclCommand({ Bucket, ACL: 'public-read' })
    expect(await failureOf(client.send(open))).toMatchObject(refused)
    const granted = new PutObjectAclCommand({ Bucket, Key: 'key', GrantRead: 'id=someone' })
    expect(await failureOf(client.send(granted))).toMatchObject(refused)
    await client.send(new PutObjectAclCommand({ Bucket, Key: 'key', ACL: 'bucket-owner-full-control' }))
  })
})

describe('CORS rules', () => {
  test('the rules are stored until they are deleted', async () => {
    const { client } = await newBucketWorld()
    const CORSRules = [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'], MaxAgeSeconds: 5 }]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
    expect((await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(CORSRules)
    await client.send(new DeleteBucketCorsCommand({ Bucket }))
    expect(await failureOf(client.send(new GetBucketCorsCommand({ Bucket })))).toMatchObject({
      name: 'NoSuchCORSConfiguration',
      $metadata: { httpStatusCode: 404 },
    })
  })

  test.each<[string, CORSRule[], string]>([
    ['without rules', [], 'MalformedXML'],
    ['of a method that is none', [{ AllowedMethods: ['PATCH'], AllowedOrigins: ['*'] }], 'InvalidRequest'],
    ['with two wildcards', [{ AllowedMethods: ['GET'], AllowedOrigins: ['*.a.*'] }], 'InvalidRequest'],
  ])('rules %s are refused', async (_, CORSRules, name) => {
    const { client } = await newBucketWorld()
    const put = new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } })
    expect(await failureOf(client.send(put))).toMatchObject({ name, $metadata: { httpStatusCode: 400 } })
  })
})
