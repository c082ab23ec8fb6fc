import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { addBucketOfOthers, changeAccount, personInS3, secrets } from './accounts.ts'
import { type AwsLife, awsHistories } from './aws-history.ts'
import { type History, mustHold } from './history.ts'
import { minute, type OwnObject } from './life.ts'
import { servicesOf } from './services-of.ts'

const bucket = (life: AwsLife): OwnObject => {
  const { backup } = life.world.cloud.seeds.first
  return {
    kind: 'BackupBucket',
    key: { name: backup.bucketName },
    spec: {
      type: 'aws',
      region: backup.region,
      secretRef: { name: `bucket-${backup.bucketName}`, namespace: 'garden' },
    },
  }
}
const secretOf = (life: AwsLife) => ({
  name: `bucket-${life.world.cloud.seeds.first.backup.bucketName}`,
  namespace: 'garden',
})

const backupHistory = awsHistories('BackupBucket')

const bucketsOf = (life: AwsLife): string => {
  const { s3 } = servicesOf(life.world.cloud) as {
    readonly s3?: { readonly buckets: readonly { readonly name: string }[] }
  }
  return (s3?.buckets ?? []).map(({ name }) => name).join(', ')
}

const leaksNothing = (life: AwsLife): void =>
  mustHold(bucketsOf(life) === '', `a bucket is leaked: ${bucketsOf(life)}`)

export const backupHistories: readonly History[] = [
  backupHistory(
    'a deletion without the Secret waits for it',
    ['aws-backupbucket'],
    async life => {
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      const secret = await life.seed.kubernetes.get(secrets, secretOf(life))
      if (secret === undefined) throw new Error('the Secret is missing')
      await life.seed.kubernetes.patch(secrets, secretOf(life), { metadata: { finalizers: null } })
      await life.seed.kubernetes.delete(secrets, secretOf(life))
      await life.drop(bucket(life))
      await life.sleep(5 * minute)
      const { name, namespace = '' } = secret.metadata
      await life.seed.kubernetes.create(secrets, { ...secret, metadata: { name, namespace } })
      await life.untilGone(bucket(life))
      leaksNothing(life)
    },
    'unobserved',
  ),
  backupHistory(
    'the finalizer of another client on the Secret stays',
    ['aws-backupbucket', 'aws-backupentry'],
    async life => {
      const add = () =>
        void life.seed.kubernetes.get(secrets, secretOf(life)).then(found =>
          life.seed.kubernetes.patch(secrets, secretOf(life), {
            metadata: { finalizers: [...(found?.metadata.finalizers ?? []), 'example.com/audit'] },
          }),
        )
      life.fault({
        of: /aws-backupbucket/,
        about: /^PATCH .*\/secrets\/bucket-/,
        fate: { kind: 'pass', beforeMs: 2_000 },
        meet: add,
      })
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      await life.sleep(minute)
      const { finalizers = [] } = (await life.seed.kubernetes.get(secrets, secretOf(life)))?.metadata ?? {}
      mustHold(finalizers.includes('example.com/audit'), 'the finalizer of another client was removed')
    },
    'stale',
  ),
  backupHistory(
    'a deletion with the credentials of another account leaks nothing',
    ['aws-backupbucket'],
    async life => {
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      // Another account owns a bucket only there, so S3 refuses the name here.
      await addBucketOfOthers(life.world.cloud)
      const restore = await changeAccount(life, secretOf(life))
      await life.drop(bucket(life))
      await life.sleep(10 * minute)
      await restore()
      await life.untilGone(bucket(life))
      leaksNothing(life)
    },
    'unobserved',
  ),
  backupHistory(
    'a deletion that S3 answers with the past leaks nothing',
    ['aws-backupbucket'],
    async life => {
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      life.world.cloud.aws.faults.add({
        service: 's3',
        action: 'DeleteBucket',
        times: 1,
        effect: { kind: 'error', code: 'NoSuchBucket', status: 404 },
      })
      await life.drop(bucket(life))
      await life.untilGone(bucket(life))
      leaksNothing(life)
    },
    'stale',
  ),
  backupHistory(
    'a throttled deletion of an entry leaks no objects',
    ['aws-backupentry'],
    async life => {
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
      const { bucketName: Bucket, region } = life.world.cloud.seeds.first.backup
      const name = 'shoot--garden--rose--3e4f6c85-9d60-4d3e-b088-50407060904a'
      const person = personInS3(life.world.cloud)
      await person.send(new PutObjectCommand({ Bucket, Key: `${name}/etcd-main/v2/Full-1`, Body: 'backup' }))
      const data = (await life.seed.kubernetes.get(secrets, secretOf(life)))?.data
      const secretRef = { name: `entry-${name}`, namespace: 'garden' }
      await life.seed.kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: secretRef,
        data,
      })
      const entry: OwnObject = {
        kind: 'BackupEntry',
        key: { name },
        spec: { type: 'aws', region, bucketName: Bucket, secretRef },
      }
      await life.apply(entry)
      life.fault({
        of: /aws-backupentry/,
        about: /^POST /,
        times: 30,
        lastsMs: 5 * minute,
        fate: { kind: 'refused', status: 429 },
      })
      await life.drop(entry)
      await life.untilGone(entry)
      const { KeyCount = 0 } = await person.send(new ListObjectsV2Command({ Bucket }))
      mustHold(KeyCount === 0, `${KeyCount} objects are leaked`)
    },
    'unobserved',
  ),
  backupHistory(
    'a throttled step is retried soon',
    ['aws-backupbucket'],
    async life => {
      life.fault({
        of: /aws-backupbucket/,
        about: /^PUT /,
        times: 20,
        lastsMs: minute,
        fate: { kind: 'refused', status: 429 },
      })
      await life.gardenlet(gardenlet => gardenlet.prepareSeed())
    },
    'unobserved',
  ),
]
