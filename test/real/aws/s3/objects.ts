import { type Behaviour, codeOf } from '../behaviour.ts'
import { ofBucket } from './world.ts'

/** Objects, their lists and their tags. */
export const objectBehaviours: readonly Behaviour[] = [
  {
    title: 'an object is read as it was put',
    see: ofBucket(async ({ put, read }) => {
      await put('backup/etcd-main/Full-1', 'snapshot 1')
      return read('backup/etcd-main/Full-1')
    }),
    aws: 'snapshot 1',
  },
  {
    title: 'an unknown object is not found',
    see: ofBucket(async ({ s3, Bucket, read }) => [
      await read('none'),
      await codeOf(s3.headObject({ Bucket, Key: 'none' })),
    ]),
    aws: ['NoSuchKey 404', 'NotFound 404'],
  },
  {
    title: 'an object is deleted, whether it is there or not',
    see: ofBucket(async ({ s3, Bucket, put, keys }) => {
      await put('a')
      const remove = () => codeOf(s3.deleteObject({ Bucket, Key: 'a' }))
      return [await remove(), await remove(), await keys()]
    }),
    aws: ['done', 'done', []],
  },
  {
    title: 'objects are listed by prefix, in the order of their bytes',
    see: ofBucket(async ({ put, keys }) => {
      for (const key of ['b/2', 'B/1', 'b/10', 'a/1', 'b/ü']) await put(key)
      return [await keys(), await keys('b/')]
    }),
    aws: [
      ['B/1', 'a/1', 'b/10', 'b/2', 'b/ü'],
      ['b/10', 'b/2', 'b/ü'],
    ],
  },
  {
    title: 'a delimiter makes folders',
    see: ofBucket(async ({ s3, Bucket, put }) => {
      for (const key of ['a/1', 'a/2', 'b', 'c/1']) await put(key)
      const list = await s3.listObjectsV2({ Bucket, Delimiter: '/' })
      return [
        list.CommonPrefixes?.map(({ Prefix }) => Prefix),
        list.Contents?.map(({ Key }) => Key),
        list.KeyCount,
      ]
    }),
    aws: [['a/', 'c/'], ['b'], 3],
  },
  {
    title: 'a list comes in pages',
    see: ofBucket(async ({ s3, Bucket, put }) => {
      for (const key of ['a', 'b', 'c']) await put(key)
      const first = await s3.listObjectsV2({ Bucket, MaxKeys: 2 })
      const second = await s3.listObjectsV2({
        Bucket,
        MaxKeys: 2,
        ...(first.NextContinuationToken ? { ContinuationToken: first.NextContinuationToken } : {}),
      })
      return [first, second].map(({ Contents, IsTruncated }) => [
        Contents?.map(({ Key }) => Key),
        IsTruncated,
      ])
    }),
    aws: [
      [['a', 'b'], true],
      [['c'], false],
    ],
  },
  {
    title: 'many objects are deleted at once, and unknown ones count as deleted',
    see: ofBucket(async ({ s3, Bucket, put, keys }) => {
      for (const key of ['a', 'b', 'c']) await put(key)
      const Objects = ['a', 'b', 'none'].map(Key => ({ Key }))
      const { Deleted, Errors } = await s3.deleteObjects({ Bucket, Delete: { Objects } })
      return [Deleted?.map(({ Key }) => Key).toSorted(), Errors, await keys()]
    }),
    aws: [['a', 'b', 'none'], undefined, ['c']],
  },
  {
    // DeleteObjects, API reference: "a list of up to 1,000 keys".
    title: 'more than a thousand objects are not deleted at once',
    see: ofBucket(({ s3, Bucket }) => {
      const Objects = Array.from({ length: 1001 }, (_, number) => ({ Key: `key-${number}` }))
      return codeOf(s3.deleteObjects({ Bucket, Delete: { Objects } }))
    }),
    aws: 'MalformedXML 400',
    moto: 'done',
  },
  {
    title: 'an object is tagged',
    see: ofBucket(async ({ s3, Bucket, put }) => {
      await put('a')
      await s3.putObjectTagging({ Bucket, Key: 'a', Tagging: { TagSet: [{ Key: 'expire', Value: 'true' }] } })
      return (await s3.getObjectTagging({ Bucket, Key: 'a' })).TagSet
    }),
    aws: [{ Key: 'expire', Value: 'true' }],
  },
]
