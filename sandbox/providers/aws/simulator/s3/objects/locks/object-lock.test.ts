import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../testing/clients.ts'
import { Bucket, day, newBucketWorld, start } from '../../testing/bucket-world.ts'

const rule = (DefaultRetention?: s3.DefaultRetention) =>
  new s3.PutObjectLockConfigurationCommand({
    Bucket,
    ObjectLockConfiguration: {
      ObjectLockEnabled: 'Enabled',
      ...(DefaultRetention ? { Rule: { DefaultRetention } } : {}),
    },
  })
const read = new s3.GetObjectLockConfigurationCommand({ Bucket })
const locked = () => newBucketWorld({}, { ObjectLockEnabledForBucket: true })

describe('the lock of a bucket', () => {
  test('object lock requires versioning if it is enabled later', async () => {
    const { client } = await newBucketWorld()
    expect(await failureOf(client.send(read))).toMatchObject({
      name: 'ObjectLockConfigurationNotFoundError',
      message: 'Object Lock configuration does not exist for this bucket',
      $metadata: { httpStatusCode: 404 },
    })
    expect(await failureOf(client.send(rule()))).toMatchObject({
      name: 'InvalidBucketState',
      $metadata: { httpStatusCode: 409 },
    })
    await client.send(
      new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
    )
    await client.send(rule())
    await expect(client.send(read)).resolves.toBeDefined()
  })
})

describe('a locked version', () => {
  test.each([
    ['COMPLIANCE', true],
    ['GOVERNANCE', false],
  ] as const)(
    'a version in mode %s cannot be deleted before its retention ends, even with bypass: %s',
    async (Mode, stays) => {
      const { client, clock, put } = await locked()
      await client.send(rule({ Mode, Days: 1 }))
      const { VersionId } = await put('k')
      const head = await client.send(new s3.HeadObjectCommand({ Bucket, Key: 'k' }))
      expect(head).toMatchObject({
        ObjectLockMode: Mode,
        ObjectLockRetainUntilDate: new Date(start + day),
      })
      const remove = (BypassGovernanceRetention?: boolean) =>
        client.send(
          new s3.DeleteObjectCommand({
            Bucket,
            Key: 'k',
            VersionId: String(VersionId),
            BypassGovernanceRetention,
          }),
        )
      const refusal = {
        name: 'AccessDenied',
        message: 'Access Denied because object protected by object lock.',
        $metadata: { httpStatusCode: 403 },
      }
      expect(await failureOf(remove())).toMatchObject(refusal)
      if (stays) {
        expect(await failureOf(remove(true))).toMatchObject(refusal)
        await clock.advance(day - 1)
        expect(await failureOf(remove(true))).toMatchObject(refusal)
        await clock.advance(1)
      }
      await expect(remove(true)).resolves.toBeDefined()
    },
  )

  test('a locked version can be hidden by a delete marker', async () => {
    const { client, put, versions } = await locked()
    await client.send(rule({ Mode: 'COMPLIANCE', Days: 1 }))
    await put('k')
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'k' }))
    const { versions: kept, markers } = await versions()
    expect([kept.length, markers.length]).toEqual([1, 1])
  })

  test('a legal hold has no end time', async () => {
    const { client, clock, put } = await locked()
    const { VersionId } = await put('k')
    const hold = (Status: 'ON' | 'OFF') =>
      client.send(new s3.PutObjectLegalHoldCommand({ Bucket, Key: 'k', LegalHold: { Status } }))
    const remove = () =>
      client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'k', VersionId: String(VersionId) }))
    await hold('ON')
    await clock.advance(1000 * day)
    expect(await failureOf(remove())).toMatchObject({ name: 'AccessDenied' })
    await hold('OFF')
    expect((await client.send(new s3.GetObjectLegalHoldCommand({ Bucket, Key: 'k' }))).LegalHold).toEqual({
      Status: 'OFF',
    })
    await remove()
  })
})
