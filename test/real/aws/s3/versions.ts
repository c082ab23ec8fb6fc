import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshBucket, ofBucket } from './world.ts'

const inVersions = (see: (bucket: FreshBucket) => Promise<unknown>): Behaviour['see'] =>
  ofBucket(see, { versioned: true })

const withLock = (see: (bucket: FreshBucket) => Promise<unknown>): Behaviour['see'] =>
  ofBucket(see, { locked: true })

const versionsOf = async ({ s3, Bucket }: FreshBucket) => {
  const { Versions, DeleteMarkers } = await s3.listObjectVersions({ Bucket })
  return [
    Versions?.map(({ Key, IsLatest }) => [Key, IsLatest]),
    DeleteMarkers?.map(({ Key, IsLatest }) => [Key, IsLatest]),
  ]
}

const rule = (Days: number) => ({
  ObjectLockEnabled: 'Enabled' as const,
  Rule: { DefaultRetention: { Mode: 'COMPLIANCE' as const, Days } },
})

/** Versions of objects, and locks on them. */
export const versionBehaviours: readonly Behaviour[] = [
  {
    title: 'a new bucket has no versions',
    see: ofBucket(async ({ s3, Bucket }) => (await s3.getBucketVersioning({ Bucket })).Status),
    aws: undefined,
  },
  {
    title: 'versions are turned on, and suspended',
    see: inVersions(async ({ s3, Bucket }) => {
      const status = async () => (await s3.getBucketVersioning({ Bucket })).Status
      const first = await status()
      await s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Suspended' } })
      return [first, await status()]
    }),
    aws: ['Enabled', 'Suspended'],
  },
  {
    title: 'an old version is read by its id',
    see: inVersions(async ({ put, read }) => {
      const first = await put('a', 'first')
      await put('a', 'second')
      return [await read('a'), await read('a', first)]
    }),
    aws: ['second', 'first'],
  },
  {
    title: 'a deletion leaves a marker, and the versions below it',
    see: inVersions(async bucket => {
      await bucket.put('a')
      await bucket.s3.deleteObject({ Bucket: bucket.Bucket, Key: 'a' })
      return [await bucket.read('a'), await bucket.keys(), await versionsOf(bucket)]
    }),
    aws: ['NoSuchKey 404', [], [[['a', false]], [['a', true]]]],
  },
  {
    title: 'a bucket with nothing but old versions cannot be deleted',
    see: inVersions(async ({ s3, Bucket, put, remove }) => {
      await put('a')
      await s3.deleteObject({ Bucket, Key: 'a' })
      return remove()
    }),
    aws: 'BucketNotEmpty 409',
  },
  {
    title: 'without its marker an object is there again',
    see: inVersions(async ({ s3, Bucket, put, read }) => {
      await put('a', 'first')
      const { VersionId } = await s3.deleteObject({ Bucket, Key: 'a' })
      await s3.deleteObject({ Bucket, Key: 'a', VersionId })
      return read('a')
    }),
    aws: 'first',
  },
  {
    title: 'versions and markers are deleted by id, and then the bucket',
    see: inVersions(async ({ s3, Bucket, put, remove }) => {
      await put('a')
      await put('a')
      await s3.deleteObject({ Bucket, Key: 'a' })
      const { Versions = [], DeleteMarkers = [] } = await s3.listObjectVersions({ Bucket })
      const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }))
      const { Deleted } = await s3.deleteObjects({ Bucket, Delete: { Objects, Quiet: false } })
      return [Deleted?.length, await remove()]
    }),
    aws: [3, 'done'],
  },
  {
    title: 'versions are listed in pages',
    see: inVersions(async ({ s3, Bucket, put }) => {
      for (const key of ['a', 'a', 'b']) await put(key)
      const first = await s3.listObjectVersions({ Bucket, MaxKeys: 2 })
      const second = await s3.listObjectVersions({
        Bucket,
        MaxKeys: 2,
        KeyMarker: first.NextKeyMarker,
        VersionIdMarker: first.NextVersionIdMarker,
      })
      return [first, second].map(({ Versions, IsTruncated }) => [
        Versions?.map(({ Key }) => Key),
        IsTruncated,
      ])
    }),
    aws: [
      [['a', 'a'], true],
      [['b'], false],
    ],
  },
  {
    title: 'a bucket without lock says so',
    see: ofBucket(({ s3, Bucket }) => codeOf(s3.getObjectLockConfiguration({ Bucket }))),
    aws: 'ObjectLockConfigurationNotFoundError 404',
  },
  {
    title: 'a bucket that is made with lock has versions, and no rule yet',
    see: withLock(async ({ s3, Bucket }) => {
      const { ObjectLockConfiguration } = await s3.getObjectLockConfiguration({ Bucket })
      return [(await s3.getBucketVersioning({ Bucket })).Status, ObjectLockConfiguration]
    }),
    aws: ['Enabled', { ObjectLockEnabled: 'Enabled' }],
  },
  {
    // "Object Lock", S3 user guide: "you can't suspend versioning for that bucket".
    title: 'versions of a bucket with lock are not suspended',
    see: withLock(({ s3, Bucket }) =>
      codeOf(s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Suspended' } })),
    ),
    aws: 'InvalidBucketState 409',
    moto: 'done',
  },
  {
    title: 'lock is turned on for a bucket that has versions, and not for one that has none',
    see: async endpoint => {
      const enable: Parameters<typeof ofBucket>[0] = ({ s3, Bucket }) =>
        codeOf(s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration: rule(1) }))
      return [await inVersions(enable)(endpoint), await ofBucket(enable)(endpoint)]
    },
    aws: ['done', 'InvalidBucketState 409'],
    moto: ['done', 'InvalidBucketState 400'],
  },
  {
    title: 'a rule of a bucket with objects is changed, and taken away',
    see: withLock(async ({ s3, Bucket, put }) => {
      await put('a')
      const change = (ObjectLockConfiguration: object) =>
        codeOf(s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration }))
      return [await change(rule(2)), await change({ ObjectLockEnabled: 'Enabled' })]
    }),
    aws: ['done', 'done'],
    moto: ['InvalidBucket 400', 'InvalidBucket 400'],
  },
  {
    title: 'a locked version is not deleted, and the answer says so of each',
    see: withLock(async ({ s3, Bucket, put }) => {
      await s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration: rule(1) })
      const VersionId = await put('a')
      const Objects = [{ Key: 'a', VersionId }]
      const { Deleted, Errors } = await s3.deleteObjects({ Bucket, Delete: { Objects, Quiet: true } })
      return [
        await codeOf(s3.deleteObject({ Bucket, Key: 'a', VersionId })),
        Deleted,
        Errors?.map(({ Code, Key }) => [Code, Key]),
      ]
    }),
    aws: ['AccessDenied 403', undefined, [['AccessDenied', 'a']]],
  },
  {
    title: 'a version is deleted when its time is over',
    see: withLock(async ({ s3, Bucket, put, pass }) => {
      await s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration: rule(1) })
      const VersionId = await put('a')
      await pass(2 * 86_400_000)
      return codeOf(s3.deleteObject({ Bucket, Key: 'a', VersionId }))
    }),
    aws: 'done',
    moto: 'AccessDenied 403',
  },
]
