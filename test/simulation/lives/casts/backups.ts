import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Accident, Cast, Part } from '../cast.ts'
import { backupSecret, type Home, homes, identitySecret, region, uidOf } from '../homes.ts'

const bucketName = ({ namespace }: Home): string => `backups-${namespace}`
const entryName = (home: Home): string => `${home.namespace}--${uidOf(home)}`

const bucketOf = (home: Home): Part['desired'] => ({
  kind: 'BackupBucket',
  key: { name: bucketName(home) },
  spec: { type: 'aws', region, secretRef: backupSecret(home) },
})

const entryOf = (home: Home, secretRef: object): Part['desired'] => ({
  kind: 'BackupEntry',
  key: { name: entryName(home) },
  spec: { type: 'aws', region, bucketName: bucketName(home), secretRef },
})

/** etcd stores backups of this shoot, and of another one with a similar name. It ends before they are deleted. */
const storeBackups =
  ({ keys, ...home }: Home): Accident =>
  async ({ cloud: { aws } }, stage) => {
    if (stage !== 'present') return undefined
    const { accessKeyID: accessKeyId, secretAccessKey } = keys
    const client = new S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      requestHandler: aws.requestHandler,
      maxAttempts: 1,
    })
    const Bucket = bucketName({ keys, ...home })
    const own = entryName({ keys, ...home })
    for (const Key of [
      `${own}/etcd-main/v2/Full-1`,
      `${own}/etcd-main/v2/Incr-2`,
      `${own}/etcd-main/v2/Incr-3`,
      `${own}/etcd-events/v2/Full-1`,
      `${own}-other/etcd-main/1`,
    ])
      await client.send(new PutObjectCommand({ Bucket, Key, Body: 'backup' }))
    return undefined
  }

/** The objects of the entry. Those of the other shoot are none. */
const leftOf =
  (home: Home): NonNullable<Part['left']> =>
  ({ cloud }) =>
    cloud
      .contents()
      .filter(({ place, value }) => place.endsWith('s3 buckets') && Object(value).name === bucketName(home))
      .flatMap(({ value }) => (Object(value).objects ?? []) as readonly { readonly key: string }[])
      .map(({ key }) => key)
      .filter(key => key.startsWith(`${entryName(home)}/`))

/** Buckets and entries that are created and deleted at once, in one account or two. */
export const backups: Cast = {
  name: 'backups',
  often: 2,
  functions: ['aws-backupbucket', 'aws-backupentry'],
  from: 'empty',
  spanMs: 20_000,
  exchanges: 24,
  actions: [
    ...[
      'CreateBucket',
      'DeleteBucket',
      'ListObjectVersions',
      'DeleteObjects',
      'PutBucketPolicy',
      'GetBucketPolicy',
    ],
    ...[
      'PutBucketEncryption',
      'PutPublicAccessBlock',
      'PutBucketLifecycleConfiguration',
      'HeadBucket',
      'ListBuckets',
    ],
  ].map(action => `s3:${action}`),
  parts: random => {
    const hasEntry = random.chance(0.5)
    const secretOf = random.fork('secret').pick([backupSecret, identitySecret])
    return homes.slice(0, random.chance(0.3) ? 2 : 1).flatMap(home => [
      ...(hasEntry
        ? [
            {
              home,
              desired: entryOf(home, secretOf(home)),
              changes: [],
              canMove: true,
              canBeForced: false,
              accidents: [storeBackups(home)],
              left: leftOf(home),
            },
          ]
        : []),
      {
        home,
        desired: bucketOf(home),
        changes: [],
        canMove: false,
        canBeForced: false,
        accidents: [storeBackups(home)],
        isLast: hasEntry,
      },
    ])
  },
}
