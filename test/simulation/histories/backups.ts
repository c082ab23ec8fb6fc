import { type AwsSide, createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { addBucket } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { changeAccount, secrets } from './accounts.ts'
import { type History, type HistoryOptions, history, mustHold } from './history.ts'
import { type Life, minute, type OwnObject } from './life.ts'
import { servicesOf } from './services-of.ts'

type AwsLife = Life<AwsSide>

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

const backupHistory = (
  title: string,
  functions: readonly string[],
  course: (life: AwsLife) => Promise<void>,
  points?: HistoryOptions<AwsSide>['points'],
): History =>
  history({
    name: `${functions[0]}: ${title}`,
    functions,
    kinds: ['BackupBucket'],
    ...(points && { points }),
    cloud: createAwsSide,
    course,
  })

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
        void life.seed.kubernetes
          .get(secrets, secretOf(life))
          .then(found =>
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
      addBucket(life.world.cloud.aws.account('999999999999'), { name: 'others', region: 'eu-west-1' }, life.world.clock)
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
