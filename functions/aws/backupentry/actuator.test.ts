import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { type EntryParts, entryName, seedWith, technicalId } from './testing/steps.ts'

const Bucket = 'backups'
const day = 86_400_000

interface BucketOptions {
  readonly versions?: boolean
  /** Days of the default retention. */
  readonly lockDays?: number
}

/** A seed with an entry, and a bucket with objects of it and of others. */
const setUp = async ({ versions = false, lockDays }: BucketOptions = {}, parts: Partial<EntryParts> = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const client = new s3.S3Client(clientSettings(aws))
  await client.send(
    new s3.CreateBucketCommand({
      Bucket,
      CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
      ObjectLockEnabledForBucket: lockDays !== undefined,
    }),
  )
  if (versions) {
    const VersioningConfiguration = { Status: 'Enabled' } as const
    await client.send(new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
  }
  if (lockDays !== undefined) {
    const Rule = { DefaultRetention: { Mode: 'GOVERNANCE', Days: lockDays } } as const
    const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled', Rule } as const
    await client.send(new s3.PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }))
  }
  const put = (Key: string) => client.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'x' }))
  for (const name of ['a', 'b', 'b']) await put(`${entryName}/v2/${name}`)
  for (const key of [`${entryName}8/of-another`, `${technicalId}--other/x`, 'x']) await put(key)
  const keys = async () => {
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new s3.ListObjectVersionsCommand({ Bucket }),
    )
    return [...Versions, ...DeleteMarkers].map(({ Key }) => Key)
  }
  const quiet = async <T>(work: Promise<T>) => {
    const result = await work
    aws.calls.clear()
    return result
  }
  aws.calls.clear()
  return {
    aws,
    clock,
    client,
    put,
    keys: () => quiet(keys()),
    quiet,
    actions: () => aws.calls.all().map(({ action }) => action),
    ...(await seedWith(aws.requestHandler, clock, { bucketName: Bucket, ...parts })),
  }
}

const others = [`${technicalId}--other/x`, `${entryName}8/of-another`, 'x'].sort()

describe('an entry', () => {
  test('creates the Secret of etcd without a request to AWS', async () => {
    const { step, entry, secretOfEtcd, credentials, actions } = await setUp()
    await step()
    expect(await entry()).toMatchObject({
      metadata: { finalizers: ['extensions.gardener.cloud/backupentry'] },
      status: { lastOperation: { state: 'Succeeded' } },
    })
    const data = { accessKeyID: 'AKIATEST', secretAccessKey: 'secret-of-the-entry', bucketName: Bucket }
    expect((await secretOfEtcd())?.data).toEqual(
      Object.fromEntries(
        Object.entries({ ...data, region: 'eu-west-1' }).map(([key, text]) => [key, btoa(text)]),
      ),
    )
    expect((await credentials())?.metadata.finalizers).toEqual(['extensions.gardener.cloud/backupentry'])
    expect(actions()).toEqual([])
  })

  test('of a workload identity adds its role even without a token', async () => {
    const roleARN = 'arn:aws:iam::123456789012:role/backup'
    const identity = 'workloadidentity.security.gardener.cloud'
    const { step, secretOfEtcd } = await setUp(
      {},
      {
        secret: { config: JSON.stringify({ roleARN }) },
        secretLabels: {
          'security.gardener.cloud/purpose': 'workload-identity-token-requestor',
          [`${identity}/provider`]: 'aws',
        },
        secretAnnotations: { [`${identity}/name`]: 'identity', [`${identity}/namespace`]: 'garden-foo' },
      },
    )
    await step()
    expect((await secretOfEtcd())?.data).toEqual({
      config: btoa(JSON.stringify({ roleARN })),
      bucketName: btoa(Bucket),
      region: btoa('eu-west-1'),
      roleARN: btoa(roleARN),
    })
  })

  test.each([
    ['bucketName', { bucketName: 'Back_up' }, 'spec.bucketName'],
    ['region', { region: 'mars' }, 'spec.region'],
  ])('with an invalid %s is reported and gets no finalizer', async (_, parts, field) => {
    const { step, entry } = await setUp({}, parts)
    await step()
    const { metadata, status } = (await entry()) ?? {}
    expect(status?.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(field),
    })
    expect(metadata?.finalizers ?? []).toEqual([])
  })

  test('that is migrated retains the Secret and the objects, and loses its finalizers', async () => {
    const { step, ask, entry, secretOfEtcd, credentials, actions } = await setUp()
    await step()
    await ask('migrate')
    await step()
    expect((await entry())?.metadata.finalizers ?? []).toEqual([])
    expect((await credentials())?.metadata.finalizers ?? []).toEqual([])
    expect(await secretOfEtcd()).toBeDefined()
    expect(actions()).toEqual([])
  })

  test('is restored in the same way as reconciled', async () => {
    const { step, ask, entry, secretOfEtcd } = await setUp()
    await ask('restore')
    await step()
    expect((await entry())?.status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
    expect(await secretOfEtcd()).toBeDefined()
  })
})

describe('deleting an entry', () => {
  test('deletes only its own objects, in two calls', async () => {
    const { step, remove, untilGone, keys, actions, secretOfEtcd, credentials } = await setUp()
    await step()
    await remove()
    await untilGone()
    expect(actions()).toEqual(['ListObjectVersions', 'DeleteObjects'])
    expect((await keys()).sort()).toEqual(others)
    expect(await secretOfEtcd()).toBeUndefined()
    expect((await credentials())?.metadata.finalizers ?? []).toEqual([])
  })

  test('deletes all their versions and delete markers', async () => {
    const { step, remove, untilGone, keys, actions, client, quiet } = await setUp({ versions: true })
    await quiet(client.send(new s3.DeleteObjectCommand({ Bucket, Key: `${entryName}/v2/a` })))
    await step()
    await remove()
    await untilGone()
    expect(actions()).toEqual(['ListObjectVersions', 'DeleteObjects'])
    expect((await keys()).sort()).toEqual(others)
  })

  test('for a move deletes the objects of the shoot', async () => {
    const { step, remove, untilGone, keys } = await setUp({}, { name: `source-${entryName}` })
    await step()
    await remove()
    await untilGone()
    expect((await keys()).sort()).toEqual(others)
  })

  test('without objects takes one call', async () => {
    const { step, remove, untilGone, actions, client, quiet } = await setUp()
    for (const name of ['a', 'b'])
      await quiet(client.send(new s3.DeleteObjectCommand({ Bucket, Key: `${entryName}/v2/${name}` })))
    await step()
    await remove()
    await untilGone()
    expect(actions()).toEqual(['ListObjectVersions'])
  })

  test('without a bucket succeeds', async () => {
    const { step, remove, untilGone } = await setUp({}, { bucketName: 'never-made' })
    await step()
    await remove()
    expect(await untilGone()).toEqual(['gone'])
  })

  test.each([
    ['with an invalid name', { bucketName: 'a' }],
    ['in an unknown region', { region: 'mars' }],
  ])('in a bucket %s sends no request to S3', async (_, parts) => {
    const { step, remove, untilGone, actions, ask, kubernetes } = await setUp()
    await step()
    await ask('reconcile')
    const { resource } = kinds.BackupEntry
    await kubernetes.patch(resource, { name: entryName }, { spec: parts })
    await remove()
    expect(await untilGone()).toEqual(['gone'])
    expect(actions()).toEqual([])
  })

  test('without its Secret succeeds', async () => {
    const { step, remove, untilGone, kubernetes, credentials, actions } = await setUp()
    await step()
    const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
    await kubernetes.patch(
      secrets,
      { name: 'entry', namespace: 'garden' },
      { metadata: { finalizers: null } },
    )
    await kubernetes.delete(secrets, { name: 'entry', namespace: 'garden' })
    expect(await credentials()).toBeUndefined()
    await remove()
    await untilGone()
    expect(actions()).toEqual([])
  })

  test('marks locked objects and leaves their deletion to the lifecycle of the bucket', async () => {
    const { step, remove, untilGone, keys, actions, client, clock, quiet } = await setUp({ lockDays: 10 })
    await step()
    await remove()
    await untilGone()
    expect(actions()).toEqual([
      'ListObjectVersions',
      'DeleteObjects',
      'PutObjectTagging',
      'PutObjectTagging',
      'PutObjectTagging',
      'GetBucketLifecycleConfiguration',
      'PutBucketLifecycleConfiguration',
    ])
    expect(await keys()).toHaveLength(6)
    const { Rules = [] } = await quiet(client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket })))
    expect(Rules).toMatchObject([
      {
        ID: 'GC-forTaggedObjects',
        Filter: { Tag: { Key: 'gc-marked-for-deletion', Value: 'true' } },
        Expiration: { Days: 1 },
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      },
      { ID: 'GC-delete-markers-objects', Expiration: { ExpiredObjectDeleteMarker: true } },
      { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } },
    ])
    // S3 applies lifecycle rules once a day.
    for (let count = 0; count < 20; count++) {
      await clock.advance(day)
      await keys()
    }
    expect((await keys()).sort()).toEqual(others)
  })

  test('adds the rules only if they are missing, and retains the others', async () => {
    const { step, remove, untilGone, actions, client, quiet, aws, clock } = await setUp({ lockDays: 10 })
    const own = { ID: 'own', Status: 'Enabled', Filter: { Prefix: 'x' }, Expiration: { Days: 90 } } as const
    const LifecycleConfiguration = { Rules: [own] }
    await quiet(
      client.send(new s3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration })),
    )
    await step()
    await remove()
    await untilGone()
    const { Rules = [] } = await quiet(client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket })))
    expect(Rules).toMatchObject([own, { ID: 'GC-forTaggedObjects' }, {}, {}])
    const next = await seedWith(aws.requestHandler, clock, { bucketName: Bucket })
    await next.step()
    await next.remove()
    await next.untilGone()
    expect(actions()).not.toContain('PutBucketLifecycleConfiguration')
  })

  test.each(['before', 'after'])('is completed by the next process if one dies: %s a call', async when => {
    for (let n = 1; n <= 7; n++) {
      const { step, remove, untilGone, keys, client } = await setUp({ lockDays: 1 })
      await step()
      await remove()
      let calls = 0
      await step(() => {
        // Called before and after each call.
        if (++calls >= 2 * n - (when === 'before' ? 1 : 0)) {
          throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
        }
      })
      await untilGone()
      expect(await keys(), `call ${n}`).toHaveLength(6)
      const { Rules = [] } = await client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket }))
      expect(Rules, `call ${n}`).toHaveLength(3)
      for (const name of ['a', 'b']) {
        const Key = `${entryName}/v2/${name}`
        const { TagSet = [] } = await client.send(new s3.GetObjectTaggingCommand({ Bucket, Key }))
        expect(TagSet, `call ${n}`).toHaveLength(1)
      }
    }
  })

  test('waits half a minute if S3 throttles', async () => {
    const { step, remove, entry, aws, clock } = await setUp()
    await step()
    await remove()
    aws.faults.add({
      action: 'DeleteObjects',
      effect: { kind: 'error', code: 'SlowDown', status: 503 },
    })
    await step()
    const object = await entry()
    expect(object?.status?.lastOperation?.description).toContain('S3 throttles the requests')
    const { until } = JSON.parse(object?.metadata.annotations?.['trellis.gardener.cloud/step'] ?? '{}')
    expect(Date.parse(until) - clock.now()).toBe(30_000)
  })

  test('reports a missing permission', async () => {
    const { step, remove, entry, aws, keys } = await setUp()
    await step()
    await remove()
    aws
      .account()
      .register({ accessKeyId: 'AKIATEST', secretAccessKey: 'secret-of-the-entry', allow: ['s3:List*'] })
    await step()
    expect((await entry())?.status?.lastError).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    aws.account().register({ accessKeyId: 'AKIATEST', secretAccessKey: 'secret' })
    expect(await keys()).toHaveLength(5)
  })
})
