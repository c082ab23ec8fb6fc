import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshBucket, ofBucket } from './world.ts'

/** Runs `see` with a bucket that has an object and a policy of one statement. */
const withStatement = (
  statement: (arn: string) => object,
  see: (bucket: FreshBucket) => Promise<unknown>,
): Behaviour['see'] =>
  ofBucket(async bucket => {
    const { s3, Bucket, put } = bucket
    await put('etcd/1')
    const Statement = [{ Principal: '*', ...statement(`arn:aws:s3:::${Bucket}`) }]
    await s3.putBucketPolicy({ Bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) })
    const seen = await see(bucket)
    await s3.deleteBucketPolicy({ Bucket })
    return seen
  })

/** The effects of bucket policies ("Policies and permissions in Amazon S3", S3 user guide). */
export const policyBehaviours: readonly Behaviour[] = [
  {
    title: 'what a policy denies is refused, and only that',
    see: withStatement(
      arn => ({ Effect: 'Deny', Action: 's3:GetObject', Resource: `${arn}/etcd/*` }),
      async ({ s3, Bucket, read, put }) => {
        await put('other')
        return [await read('etcd/1'), await read('other'), await codeOf(s3.listObjectsV2({ Bucket }))]
      },
    ),
    aws: ['AccessDenied 403', 'snapshot', 'done'],
    // The error has no message.
    moto: ['Unknown 403', 'snapshot', 'done'],
  },
  {
    title: 'a denial whose condition does not hold denies nothing',
    see: withStatement(
      arn => ({
        Effect: 'Deny',
        Action: 's3:*',
        Resource: [arn, `${arn}/*`],
        Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } },
      }),
      ({ read }) => read('etcd/1'),
    ),
    aws: 'snapshot',
    // moto ignores conditions.
    moto: 'Unknown 403',
  },
  {
    title: 'a denial of deletions keeps an object, in a deletion of many too',
    see: withStatement(
      arn => ({ Effect: 'Deny', Action: 's3:DeleteObject', Resource: `${arn}/*` }),
      async ({ s3, Bucket, read }) => [
        await codeOf(s3.deleteObject({ Bucket, Key: 'etcd/1' })),
        await codeOf(s3.deleteObjects({ Bucket, Delete: { Objects: [{ Key: 'etcd/1' }] } }), ({ Errors }) =>
          Errors?.map(({ Code }) => Code),
        ),
        await read('etcd/1'),
      ],
    ),
    aws: ['AccessDenied 403', ['AccessDenied'], 'snapshot'],
    moto: ['Unknown 403', ['AccessDenied'], 'snapshot'],
  },
  {
    title: 'an unknown operator of a condition is refused',
    see: ofBucket(({ s3, Bucket }) => {
      const Statement = [
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 's3:*',
          Resource: `arn:aws:s3:::${Bucket}/*`,
          Condition: { StringAlmostEquals: { 's3:prefix': 'a' } },
        },
      ]
      return codeOf(
        s3.putBucketPolicy({ Bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }),
      )
    }),
    aws: 'MalformedPolicy 400',
    moto: 'done',
  },
]
