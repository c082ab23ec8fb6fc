import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { StepExpiredError } from '../../../shared/contract/errors.ts'
import { day, letStrangerIn, newAccount, start, strangerOf } from './testing/account.ts'
import { bucketName as Bucket, type BucketParts, stepsOver } from './testing/steps.ts'

const deletionTimestamp = '2026-11-21T00:00:00Z'
const lock = (mode: 'governance' | 'compliance', days = 10) => ({
  immutability: { retentionType: 'bucket', retentionPeriod: `${days * 24}h`, mode },
})

/** A bucket that the function created, and its content. */
const setUp = async (parts: BucketParts = {}) => {
  const account = newAccount()
  const steps = stepsOver(account.aws.requestHandler, account.clock, { deletionTimestamp, ...parts })
  await steps.step('reconcile')
  account.aws.calls.clear()
  return { ...account, ...steps }
}

describe('deleting a bucket', () => {
  test('takes one call if it is empty', async () => {
    const { step, actions, exists } = await setUp()
    expect((await step('remove')).kind).toBe('done')
    expect(actions()).toEqual(['DeleteBucket'])
    expect(await exists()).toBe(false)
  })

  test('takes two calls if it is gone, and a step has recorded that', async () => {
    const { step, actions, aws } = await setUp()
    await step('remove')
    aws.calls.clear()
    expect((await step('remove')).kind).toBe('done')
    expect(actions()).toEqual(['DeleteBucket', 'ListBuckets'])
  })

  test('takes five calls if it has objects', async () => {
    const { step, put, actions, exists } = await setUp()
    await put(3)
    expect((await step('remove')).kind).toBe('done')
    expect(actions()).toEqual([
      'DeleteBucket',
      'GetBucketPolicy',
      'ListObjectVersions',
      'DeleteObjects',
      'DeleteBucket',
    ])
    expect(await exists()).toBe(false)
  })

  test('takes five calls with versions, delete markers and strange keys as well', async () => {
    const { step, put, operator, actions, exists } = await setUp()
    await operator(client =>
      client.send(
        new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
      ),
    )
    await put(3, 'a b+c%20/ä<&>"')
    await put(3, 'a b+c%20/ä<&>"')
    await operator(client => client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'a b+c%20/ä<&>"0' })))
    expect((await step('remove')).kind).toBe('done')
    expect(actions()).toHaveLength(5)
    expect(await exists()).toBe(false)
  })

  test.each([
    ['with an invalid name', { name: 'a' }],
    ['with the name of a directory bucket', { name: 'backups--use1-az4--x-s3' }],
    ['in a region that is none', { region: 'mars' }],
  ])('%s sends no request to S3', async (_, parts) => {
    const { aws, clock, actions } = newAccount()
    const { step, lines } = stepsOver(aws.requestHandler, clock, { deletionTimestamp, ...parts })
    expect((await step('remove')).kind).toBe('done')
    expect(actions()).toEqual([])
    expect(lines).toMatchObject([{ why: expect.stringMatching(/^(metadata\.name|spec\.region): /) }])
  })

  test('in another region than in the spec is refused, and the error names the region', async () => {
    const { step, change, exists } = await setUp()
    change({ region: 'us-west-2' })
    await expect(step('remove')).rejects.toThrow('eu-west-1. Set spec.region to that region')
    expect(await exists()).toBe(true)
  })

  test('in another region does nothing if the object never had a bucket', async () => {
    const { aws, clock, operator } = await setUp()
    const { step } = stepsOver(aws.requestHandler, clock, { deletionTimestamp, region: 'us-west-2' })
    expect((await step('remove')).kind).toBe('done')
    const head = await operator(client => client.send(new s3.HeadBucketCommand({ Bucket })))
    expect(head.BucketRegion).toBe('eu-west-1')
  })

  test('of another account succeeds without a change if the object never had a bucket', async () => {
    const { put, aws, clock, versions, actions } = await setUp()
    await put(1)
    const { step } = stepsOver(aws.requestHandler, clock, { deletionTimestamp })
    expect((await step('remove', { accessKeyID: strangerOf(aws) })).kind).toBe('done')
    expect(actions()).toEqual(['DeleteBucket', 'ListBuckets'])
    expect(await versions()).toHaveLength(1)
  })

  test.each(['\u0001', '\ufffe', 'a\rb', '../x'])(
    'deletes the key %j and every other that XML can hold',
    async key => {
      const { step, put, exists } = await setUp()
      await put(2)
      await put(1, key)
      expect((await step('remove')).kind).toBe('done')
      expect(await exists()).toBe(false)
    },
  )

  test('is refused if the credentials lack the permission', async () => {
    const { step, aws, exists } = await setUp()
    aws.account().register({
      accessKeyId: 'AKIALIMITED',
      secretAccessKey: 'planted-secret-access-key',
      allow: ['s3:Get*', 's3:List*'],
    })
    const failure = await failureOf(step('remove', { accessKeyID: 'AKIALIMITED' }))
    expect(failure).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(await exists()).toBe(true)
  })

  test.each([false, true])(
    'is refused for credentials of another account, and the error names the required account (let in: %s)',
    async isLetIn => {
      const { step, put, aws, operator, exists, versions } = await setUp()
      await put(1)
      if (isLetIn) await operator(letStrangerIn)
      await expect(step('remove', { accessKeyID: strangerOf(aws) })).rejects.toMatchObject({
        codes: ['ERR_CONFIGURATION_PROBLEM'],
        message: expect.stringContaining('use credentials of that account'),
      })
      expect(await versions()).toHaveLength(1)
      await step('remove')
      expect(await exists()).toBe(false)
    },
  )

  test('of another account deletes no objects even if its policy allows it', async () => {
    const { put, aws, clock, operator, versions } = await setUp()
    await put(3)
    await operator(letStrangerIn)
    const { step, lines } = stepsOver(aws.requestHandler, clock, { deletionTimestamp })
    expect((await step('remove', { accessKeyID: strangerOf(aws) })).kind).toBe('done')
    expect(await versions()).toHaveLength(3)
    expect(lines).toMatchObject([{ bucket: Bucket }])
  })
})

describe('deleting many objects', () => {
  test('continues in the next step where the last one stopped', async () => {
    const { step, fill, exists, aws, clock, object, actions } = await setUp()
    fill(3000)
    // Each call takes half a second.
    const slow = { pace: { timeMs: 1_500, parallel: 1 } }
    const handle = aws.requestHandler.handle.bind(aws.requestHandler)
    aws.requestHandler.handle = async (...args) => {
      const answer = await handle(...args)
      await clock.advance(500)
      return answer
    }
    const first = await step('remove', slow)
    expect(first).toMatchObject({
      kind: 'continue',
      afterMs: 1_000,
      description: expect.stringContaining('2000 deleted'),
    })
    expect(first).toMatchObject({ progress: 9 })
    expect(object().status?.state).toMatchObject({ progress: { deleted: 2000 } })
    aws.calls.clear()
    expect((await step('remove', slow)).kind).toBe('done')
    // Objects were left, so the step had not tried to delete the bucket before.
    expect(actions()).toEqual(['GetBucketPolicy', 'ListObjectVersions', 'DeleteObjects', 'DeleteBucket'])
    expect(await exists()).toBe(false)
  })

  test('starts over if the progress is lost', async () => {
    const { step, put, exists } = await setUp({ status: { state: { kind: 'something else' } } })
    await put(3)
    expect((await step('remove')).kind).toBe('done')
    expect(await exists()).toBe(false)
  })

  test('takes several pages at a time', async () => {
    const { step, fill, aws, actions } = await setUp()
    fill(2800)
    let [running, most] = [0, 0]
    const handle = aws.requestHandler.handle.bind(aws.requestHandler)
    aws.requestHandler.handle = async (...args) => {
      most = Math.max(most, ++running)
      try {
        return await handle(...args)
      } finally {
        running--
      }
    }
    expect((await step('remove', { pace: { parallel: 3 } })).kind).toBe('done')
    expect(actions().filter(action => action === 'DeleteObjects')).toHaveLength(3)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  })

  test('waits if S3 throttles, and retains its progress', async () => {
    const { step, fill, aws, until, exists } = await setUp()
    fill(2400)
    aws.faults.add({
      action: 'DeleteObjects',
      nth: 2,
      effect: { kind: 'error', code: 'SlowDown', status: 503 },
    })
    const pace = { parallel: 1 }
    expect(await step('remove', { pace })).toMatchObject({
      kind: 'continue',
      afterMs: 30_000,
      description: `Deleting the objects of bucket ${Bucket}: 1000 deleted; S3 throttles the requests`,
    })
    expect(await until('remove')).toEqual([])
    expect(await exists()).toBe(false)
  })

  test('retries with a growing wait if new objects keep arriving after an empty list', async () => {
    const { step, put, aws, clock } = await setUp()
    await put(1)
    aws.faults.add({
      action: 'DeleteBucket',
      times: null,
      effect: { kind: 'error', code: 'BucketNotEmpty', status: 409 },
    })
    const waits: number[] = []
    for (let count = 0; count < 6; count++) {
      const result = await step('remove')
      if (result.kind !== 'continue') throw new Error('done')
      expect(result.description).toContain('another client still writes to the bucket')
      waits.push(result.afterMs / 60_000)
      await clock.advance(result.afterMs)
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16])
  })

  test('stops at a missing permission and names it', async () => {
    const { step, put, aws, versions } = await setUp()
    await put(3)
    aws.account('123456789012')
    const allow = ['s3:Get*', 's3:List*', 's3:DeleteBucket']
    aws
      .account()
      .register({ accessKeyId: 'AKIALIMITED', secretAccessKey: 'planted-secret-access-key', allow })
    const failure = await failureOf(step('remove', { accessKeyID: 'AKIALIMITED' }))
    expect(failure).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(failure.message).toContain('s3:DeleteObject')
    expect(await versions()).toHaveLength(3)
  })

  test('is refused if the permission for the delete markers of a bucket with locks is missing', async () => {
    const { step, operator, aws, exists } = await setUp(lock('governance'))
    await operator(client => client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'gone' })))
    const allow = ['s3:Get*', 's3:List*', 's3:DeleteBucket']
    aws
      .account()
      .register({ accessKeyId: 'AKIALIMITED', secretAccessKey: 'planted-secret-access-key', allow })
    const failure = await failureOf(step('remove', { accessKeyID: 'AKIALIMITED' }))
    expect(failure).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(failure.message).toContain('s3:DeleteObjectVersion')
    expect(await exists()).toBe(true)
  })

  test('writes nothing after the deadline', async () => {
    const { step, put, versions } = await setUp()
    await put(3)
    const throwIfExpired = () => {
      throw new StepExpiredError('over')
    }
    expect(await failureOf(step('remove', { throwIfExpired }))).toBeInstanceOf(StepExpiredError)
    expect(await versions()).toHaveLength(3)
  })
})

describe('deleting a bucket with locked objects', () => {
  test('reports until when it waits, and retries then', async () => {
    const { step, put, clock, exists, actions } = await setUp(lock('compliance'))
    await put(2)
    await clock.advance(day)
    await put(1, 'later-')
    const first = await step('remove')
    expect(first).toMatchObject({
      kind: 'continue',
      description: `Waiting for 3 locked objects of bucket ${Bucket}: retention protects them, the oldest until 2026-12-01T00:00:00Z, the newest until 2026-12-02T00:00:00Z`,
    })
    // At most a day, because a user may remove a lock by hand.
    expect(first).toMatchObject({ afterMs: day + 1_000 })
    expect(actions()).toEqual([
      'DeleteBucket',
      'GetBucketPolicy',
      'ListObjectVersions',
      'DeleteObjects',
      'GetObjectRetention',
      'GetObjectRetention',
    ])
    await clock.advance(10 * day - clock.now() + start)
    expect(await step('remove')).toMatchObject({ description: expect.stringContaining('1 locked object ') })
    await clock.advance(day)
    expect((await step('remove')).kind).toBe('done')
    expect(await exists()).toBe(false)
  })

  test('completes by itself with one read a day', async () => {
    const { put, until, exists } = await setUp(lock('governance', 30))
    await put(5)
    const waits = await until('remove')
    expect(waits.length).toBeLessThanOrEqual(31)
    expect(await exists()).toBe(false)
  })

  test('deletes all other objects', async () => {
    const { step, put, operator, versions } = await setUp()
    await operator(client =>
      client.send(
        new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
      ),
    )
    await operator(client =>
      client.send(
        new s3.PutObjectLockConfigurationCommand({
          Bucket,
          ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled' },
        }),
      ),
    )
    const until = new Date(start + 3 * day)
    await put(3, 'free-')
    await put(2, 'locked-', { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: until })
    expect(await step('remove')).toMatchObject({
      description: `Waiting for 2 locked objects of bucket ${Bucket}: retention protects them until 2026-11-24T00:00:00Z`,
    })
    expect(await versions()).toEqual(['locked-0', 'locked-1'])
  })

  test('under a legal hold waits longer and longer, and never ends by itself', async () => {
    const { step, put, operator, clock, exists } = await setUp()
    await operator(async client => {
      const VersioningConfiguration = { Status: 'Enabled' } as const
      await client.send(new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
      const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled' } as const
      await client.send(new s3.PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }))
    })
    await put(1, 'held-', { ObjectLockLegalHoldStatus: 'ON' })
    const waits: number[] = []
    for (let count = 0; count < 14; count++) {
      const result = await step('remove')
      if (result.kind !== 'continue') throw new Error('done')
      expect(result.description).toContain('a legal hold protects them until it is removed')
      waits.push(result.afterMs)
      await clock.advance(result.afterMs)
    }
    expect(waits.slice(0, 4)).toEqual([60_000, 60_000, 120_000, 240_000])
    expect(waits.at(-1)).toBe(day)
    await operator(client =>
      client.send(new s3.PutObjectLegalHoldCommand({ Bucket, Key: 'held-0', LegalHold: { Status: 'OFF' } })),
    )
    expect((await step('remove')).kind).toBe('done')
    expect(await exists()).toBe(false)
  })
})
