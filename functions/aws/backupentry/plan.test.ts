import * as s3 from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { clientSettings } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { planBackupEntry } from './plan.ts'

const entry: BackupEntry = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupEntry',
  metadata: { name: 'source-shoot--foo--bar--5a3b' },
  spec: {
    type: 'aws',
    region: 'eu-west-1',
    bucketName: 'backups',
    secretRef: { name: 'entry', namespace: 'garden' },
  },
}

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const plan = (destroy: boolean, object = entry) =>
    planBackupEntry({
      object,
      secret: {
        name: 'entry',
        namespace: 'garden',
        labels: {},
        data: { accessKeyID: 'AKIATEST', secretAccessKey: 'secret' },
      },
      connection: { requestHandler: aws.requestHandler },
      clock,
      signal: new AbortController().signal,
      destroy,
    })
  return { aws, client: new s3.S3Client(clientSettings(aws)), plan }
}

test('the plan of an entry is empty and sends no request to AWS', async () => {
  const { plan, aws } = setUp()
  expect(await plan(false)).toEqual({ actions: [] })
  expect(aws.calls.all()).toEqual([])
})

test('a plan throws the same error as the step', async () => {
  const { plan } = setUp()
  const object = { ...entry, spec: { ...entry.spec, bucketName: 'Back_up' } }
  await expect(plan(false, object)).rejects.toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
})

test('the plan of a deletion lists the objects under its prefix', async () => {
  const { plan, client } = setUp()
  expect(await plan(true)).toEqual({ actions: [] })
  const Bucket = 'backups'
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await client.send(new s3.CreateBucketCommand({ Bucket, CreateBucketConfiguration }))
  expect(await plan(true)).toEqual({ actions: [] })
  for (const Key of ['shoot--foo--bar--5a3b/a', 'shoot--foo--bar--5a3b/b', 'shoot--foo--bar--other/a'])
    await client.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const { actions } = await plan(true)
  expect(actions).toEqual([
    {
      kind: 'delete',
      sentence: 'delete 2 object versions under shoot--foo--bar--5a3b/ of bucket backups',
      objects: { count: 2, more: false },
    },
  ])
})

test('the deletion of objects in a bucket in another region is an error that names the region', async () => {
  const { plan, client } = setUp()
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await client.send(new s3.CreateBucketCommand({ Bucket: 'backups', CreateBucketConfiguration }))
  const elsewhere = { ...entry, spec: { ...entry.spec, region: 'us-west-2' } }
  await expect(plan(true, elsewhere)).rejects.toThrow('eu-west-1. Set spec.region to that region')
})

test.each([
  ['in an unknown region', { region: 'mars' }],
  ['with an invalid name', { bucketName: 'a' }],
])('the deletion of objects in a bucket %s does nothing', async (_, parts) => {
  const { plan, client } = setUp()
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await client.send(new s3.CreateBucketCommand({ Bucket: 'backups', CreateBucketConfiguration }))
  expect(await plan(true, { ...entry, spec: { ...entry.spec, ...parts } })).toEqual({ actions: [] })
})
