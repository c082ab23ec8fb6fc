import * as s3 from '@aws-sdk/client-s3'
import { HttpResponse } from '@smithy/core/protocols'
import { describe, expect, test } from 'vitest'
import { isRead } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings, failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import type { StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { consistentAfterMs } from '../../../terraform-free-infra/aws/account/consistent-after.ts'
import { newAccount } from './testing/account.ts'
import { bucketName as Bucket, type BucketParts, secretAccessKey, stepsOver } from './testing/steps.ts'

const deletionTimestamp = '2026-11-21T00:00:00Z'
const noSuchBucket = { kind: 'error', code: 'NoSuchBucket', status: 404 } as const
const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const

const newWorld = (parts: BucketParts = {}, options: Parameters<typeof newAccount>[0] = {}) => {
  const account = newAccount(options)
  return {
    ...account,
    ...stepsOver(account.aws.requestHandler, account.clock, { deletionTimestamp, ...parts }),
  }
}
type World = ReturnType<typeof newWorld>

/** A bucket that the function created an hour ago, with three objects. */
const newBucket = async (parts: BucketParts = {}) => {
  const world = newWorld(parts)
  await world.step('reconcile')
  await world.put(3)
  await world.clock.advance(3_600_000)
  world.aws.calls.clear()
  return world
}

/** Runs the deletion. Returns the time that it took and the reasons of its waits. */
const deletion = async (world: World, options: Parameters<World['step']>[1] = {}) => {
  const began = world.clock.now()
  const waits = await world.until('remove', options)
  return { took: world.clock.now() - began, waits }
}

/** The bucket disappears without the function. */
const deleteByHand = async ({ operator }: World) =>
  operator(async client => {
    const { Contents = [] } = await client.send(new s3.ListObjectsV2Command({ Bucket }))
    for (const { Key } of Contents) await client.send(new s3.DeleteObjectCommand({ Bucket, Key }))
    await client.send(new s3.DeleteBucketCommand({ Bucket }))
  })

describe('the deletion of a bucket that was there', () => {
  test.each([
    ['DeleteBucket', 1],
    ['DeleteBucket', 2],
    ['GetBucketPolicy', 1],
    ['ListObjectVersions', 1],
    ['DeleteObjects', 1],
  ])('is not ended by one answer of %s (the %i.) that it does not exist', async (action, nth) => {
    const world = await newBucket()
    world.aws.faults.add({ action, nth, effect: noSuchBucket })
    const { waits } = await deletion(world)
    expect(await world.exists()).toBe(false)
    expect(waits[0]).toBe(
      `S3 does not find the bucket ${Bucket}. Waiting until 2026-11-21T01:05:00Z, because S3 may hide an existing bucket for some minutes`,
    )
  })

  test.each([5_000, 60_000, consistentAfterMs - 1_000])(
    'is not ended if S3 does not find it for %i ms',
    async lasts => {
      const world = await newBucket()
      world.aws.faults.add({ service: 's3', lasts, effect: { kind: 'not-found' } })
      await deletion(world)
      expect(world.actions()).toContain('DeleteObjects')
      expect(await world.exists()).toBe(false)
    },
  )

  test('begins its doubts again after each answer that shows it', async () => {
    const world = await newBucket()
    for (let round = 0; round < 3; round++) {
      const withdraw = world.aws.faults.add({ service: 's3', times: null, effect: noSuchBucket })
      for (let minutes = 0; minutes < 4; minutes++) {
        expect((await world.step('remove')).kind).toBe('continue')
        await world.clock.advance(60_000)
      }
      withdraw()
      // S3 throttles, so the deletion makes no progress.
      const release = world.aws.faults.add({
        action: 'DeleteObjects',
        times: null,
        effect: { kind: 'throttle' },
      })
      expect(await world.step('remove')).toMatchObject({ description: expect.stringContaining('throttles') })
      release()
    }
    expect(await world.exists()).toBe(true)
  })

  test('ends after five minutes of such answers if another client has deleted it', async () => {
    const world = await newBucket()
    await deleteByHand(world)
    const { took, waits } = await deletion(world)
    expect(took).toBe(consistentAfterMs)
    expect(new Set(waits).size).toBe(1)
    expect(world.actions().at(-1)).toBe('ListBuckets')
    expect(waits.length).toBeLessThan(12)
  })

  test('does not end while S3 still lists it, with longer and longer waits', async () => {
    const world = await newBucket()
    world.aws.faults.add({ action: 'DeleteBucket', times: null, effect: noSuchBucket })
    const results: StepResult[] = []
    for (let count = 0; count < 15; count++) {
      const result = await world.step('remove')
      results.push(result)
      if (result.kind === 'continue') await world.clock.advance(result.afterMs)
    }
    expect(results.map(({ kind }) => kind)).not.toContain('done')
    expect(results.at(-1)).toMatchObject({
      description: `S3 lists the bucket ${Bucket} but does not find it. Waiting until it is in neither or in both answers`,
    })
    world.aws.faults.clear()
    await deletion(world)
    expect(await world.exists()).toBe(false)
  })

  test('ends without the permission to list the buckets of the account', async () => {
    const world = await newBucket()
    await deleteByHand(world)
    const allow = ['s3:Get*', 's3:Delete*', 's3:ListBucketVersions']
    world.aws.account().register({ accessKeyId: 'AKIALIMITED', secretAccessKey, allow })
    expect((await deletion(world, { accessKeyID: 'AKIALIMITED' })).took).toBe(consistentAfterMs)
  })

  test('is retried if the list of the buckets cannot be read now', async () => {
    const world = await newBucket()
    await deleteByHand(world)
    await world.step('remove')
    await world.clock.advance(consistentAfterMs)
    world.aws.faults.add({
      action: 'ListBuckets',
      effect: { kind: 'error', code: 'InternalError', status: 500 },
    })
    expect((await failureOf(world.step('remove'))).message).toContain('listing the buckets')
    expect((await world.step('remove')).kind).toBe('done')
  })

  test('finds the bucket on the last page of a list in small pages', async () => {
    const world = newWorld({}, { pages: { seed: 3, most: 1 } })
    await world.step('reconcile')
    for (let index = 0; index < 4; index++)
      await world.operator(client =>
        client.send(new s3.CreateBucketCommand({ Bucket: `${Bucket}-${index}`, CreateBucketConfiguration })),
      )
    await world.clock.advance(3_600_000)
    world.aws.faults.add({ action: 'DeleteBucket', times: null, effect: noSuchBucket })
    await world.step('remove')
    await world.clock.advance(consistentAfterMs)
    expect(await world.step('remove')).toMatchObject({
      description: expect.stringContaining('S3 lists the bucket'),
    })
  })

  test('is not ended by a state of an earlier release, which has no times', async () => {
    const world = newWorld({ status: { state: { kind: 'BackupBucketState', owned: true } } })
    await world.operator(client =>
      client.send(new s3.CreateBucketCommand({ Bucket, CreateBucketConfiguration })),
    )
    world.aws.faults.add({ service: 's3', lasts: 60_000, effect: { kind: 'not-found' } })
    await deletion(world)
    expect(await world.exists()).toBe(false)
  })

  test('starts its wait for a missing bucket again after a failed step', async () => {
    const world = await newBucket()
    world.aws.faults.add({ action: 'DeleteBucket', times: 2, effect: noSuchBucket })
    world.aws.faults.add({ action: 'ListBuckets', effect: { kind: 'denied' } })
    await world.step('remove')
    await world.clock.advance(consistentAfterMs)
    expect(await world.step('remove', { resumed: false })).toMatchObject({ kind: 'continue' })
    expect(await world.exists()).toBe(true)
    await deletion(world)
    expect(await world.exists()).toBe(false)
  })

  test('is not ended by an answer without a request id, which is not from S3', async () => {
    const world = await newBucket()
    const body = '<Error><Code>NoSuchBucket</Code><Message>Unknown upstream</Message></Error>'
    world.aws.requestHandler.handle = async () => ({
      response: new HttpResponse({ statusCode: 404, headers: {}, body: Buffer.from(body) }),
    })
    const failure = await failureOf(world.step('remove'))
    expect(failure.message).toContain('is not from S3, because it has no request id. Check proxies')
    expect(failure).not.toHaveProperty('codes')
    expect(world.object().status?.state).not.toHaveProperty('missingSince')
  })
})

describe('the deletion of a bucket whose creation has no answer', () => {
  test.each(['before', 'after'] as const)(
    'waits for the bucket, if the request was lost %s its effect',
    async when => {
      const world = newWorld()
      world.aws.faults.add({ action: 'CreateBucket', when, effect: { kind: 'drop' } })
      await failureOf(world.step('reconcile'))
      world.aws.faults.add({ service: 's3', lasts: 120_000, effect: { kind: 'not-found' } })
      const { took } = await deletion(world)
      expect(await world.exists()).toBe(false)
      expect(took).toBe(when === 'before' ? consistentAfterMs : 140_000)
    },
  )

  test('is refused with credentials of another account, and does not succeed without the bucket', async () => {
    const world = newWorld()
    world.aws.faults.add({ action: 'CreateBucket', when: 'after', effect: { kind: 'drop' } })
    await failureOf(world.step('reconcile'))
    world.aws.account('222222222222').register({ accessKeyId: 'AKIASTRANGER', secretAccessKey })
    const failure = await failureOf(world.step('remove', { accessKeyID: 'AKIASTRANGER' }))
    expect(failure).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(await world.exists()).toBe(true)
  })

  test('succeeds at once if S3 refused the name, which belongs to another account', async () => {
    const world = newWorld()
    world.aws.account('222222222222').register({ accessKeyId: 'AKIASTRANGER', secretAccessKey })
    world.aws.faults.add({ action: 'GetBucketPolicy', effect: noSuchBucket })
    await world.operator(client =>
      client.send(new s3.CreateBucketCommand({ Bucket, CreateBucketConfiguration })),
    )
    const accessKeyID = 'AKIASTRANGER'
    expect((await failureOf(world.step('reconcile', { accessKeyID }))).message).toContain(
      'another AWS account',
    )
    expect((await world.step('remove', { accessKeyID })).kind).toBe('done')
    expect(await world.exists()).toBe(true)
  })
})

describe('the deletion of a bucket that was never requested', () => {
  test('ends at once if the list of the account lacks it', async () => {
    const world = newWorld()
    expect((await world.step('remove')).kind).toBe('done')
    expect(world.actions()).toEqual(['DeleteBucket', 'ListBuckets'])
  })

  test('waits if the list cannot be read', async () => {
    const world = newWorld()
    const allow = ['s3:Get*', 's3:Delete*']
    world.aws.account().register({ accessKeyId: 'AKIALIMITED', secretAccessKey, allow })
    expect((await deletion(world, { accessKeyID: 'AKIALIMITED' })).took).toBe(consistentAfterMs)
  })
})

describe('a reconcile of a bucket that was there', () => {
  const policyOf = ({ operator }: World) =>
    operator(async client => (await client.send(new s3.GetBucketPolicyCommand({ Bucket }))).Policy)

  test('creates nothing after one answer that it does not exist', async () => {
    const world = await newBucket()
    world.aws.faults.add({ action: 'GetBucketPolicy', effect: noSuchBucket })
    expect(await world.step('reconcile')).toMatchObject({
      kind: 'continue',
      description: expect.stringContaining(`S3 does not find the bucket ${Bucket}`),
    })
    expect(await world.step('reconcile')).toMatchObject({ kind: 'done' })
    expect(world.actions().filter(action => !action.startsWith('Get'))).toEqual([])
    expect(world.object().status?.state).not.toHaveProperty('missingSince')
  })

  test('creates it again after five minutes of such answers, and reports that', async () => {
    const world = await newBucket()
    await deleteByHand(world)
    const waits = await world.until('reconcile', {})
    expect(waits.length).toBeGreaterThan(3)
    expect(await world.exists()).toBe(true)
    expect(world.lines).toContainEqual({
      message: 'bucket was not found for minutes and is created again',
      bucket: Bucket,
    })
    expect(world.conditions()).toMatchObject([
      {
        type: 'BucketRecreated',
        status: 'True',
        message: expect.stringContaining('all earlier backups are lost'),
      },
    ])
    expect(await world.step('reconcile')).toMatchObject({ kind: 'done' })
    expect(world.conditions()).toHaveLength(1)
  })

  test.each(['before', 'after'] as const)(
    'reports that also if its process dies %s the creation',
    async when => {
      const world = await newBucket()
      await deleteByHand(world)
      await world.step('reconcile')
      await world.clock.advance(consistentAfterMs)
      world.aws.faults.add({ action: 'CreateBucket', when, effect: { kind: 'drop' } })
      await failureOf(world.step('reconcile'))
      await world.until('reconcile')
      expect(world.conditions()).toMatchObject([{ type: 'BucketRecreated' }])
    },
  )

  test('reports no loss if the bucket was only hidden', async () => {
    const world = await newBucket()
    world.aws.faults.add({ service: 's3', lasts: consistentAfterMs + 1_000, effect: { kind: 'not-found' } })
    await world.until('reconcile')
    expect(world.conditions()).toEqual([])
    expect(await world.versions()).toHaveLength(3)
  })

  test('retains settings of its user in us-east-1, where S3 accepts a repeated creation', async () => {
    const world = newWorld({ region: 'us-east-1' })
    const client = new s3.S3Client({ ...clientSettings(world.aws), region: 'us-east-1' })
    await client.send(new s3.CreateBucketCommand({ Bucket }))
    const own = {
      Sid: 'Own',
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:PutObject',
      Resource: `arn:aws:s3:::${Bucket}/x`,
    }
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [own] })
    await client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy }))
    world.aws.faults.add({ action: 'GetBucketPolicy', effect: noSuchBucket })
    await world.until('reconcile')
    expect(await policyOf({ ...world, operator: work => work(client) })).toContain('"Own"')
  })
})

test('with late reads, a bucket that is deleted right after its creation never stays', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const world = newWorld({}, { lag: { seed, most: 90_000 } })
    for (let step = 0; step < seed % 4; step++) {
      if ((await world.step('reconcile').catch(() => undefined))?.kind === 'done') await world.put(2)
      await world.clock.advance(3_000)
    }
    await deletion(world)
    await world.clock.advance(consistentAfterMs)
    expect(await world.exists(), `seed ${seed}`).toBe(false)
  }
})

test('with late reads, a bucket with objects is neither lost nor replaced by reconciles', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const world = newWorld({}, { lag: { seed, most: 90_000 } })
    await world.until('reconcile')
    await world.clock.advance(90_000)
    await world.put(2)
    for (let round = 0; round < 5; round++) await world.until('reconcile')
    expect(await world.versions(), `seed ${seed}`).toHaveLength(2)
    expect(world.conditions()).toEqual([])
  }
})

describe('a new object whose bucket was deleted a moment ago', () => {
  const again = async (options: Parameters<typeof newAccount>[0] = {}) => {
    const former = newWorld(
      {},
      { lag: { seed: 1, least: 30_000, most: 30_000, services: ['s3'] }, ...options },
    )
    await former.until('reconcile', { type: 'Create' })
    await former.clock.advance(3_600_000)
    const { aws, clock } = former
    return { ...former, ...stepsOver(aws.requestHandler, clock), former }
  }

  test('creates the bucket although S3 still shows the settings of the former one', async () => {
    const world = await again()
    await deleteByHand(world)
    await world.until('reconcile', { type: 'Create' })
    await world.clock.advance(60_000)
    expect(await world.exists()).toBe(true)
    world.aws.calls.clear()
    await world.until('reconcile')
    expect(world.aws.calls.all().filter(call => !isRead(call))).toEqual([])
  })

  test('adopts a bucket that still exists, and changes nothing', async () => {
    const world = await again()
    world.aws.calls.clear()
    await world.until('reconcile', { type: 'Create' })
    expect(world.aws.calls.all().flatMap(call => (isRead(call) ? [] : [call.errorCode]))).toEqual([
      'BucketAlreadyOwnedByYou',
    ])
  })
})
