import type { CreateBucketCommandInput } from '@aws-sdk/client-s3'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { uniqueName } from '../unique-name.ts'
import { ofBucket } from './world.ts'

const creating =
  (input: Partial<CreateBucketCommandInput>): Behaviour['see'] =>
  ({ s3 }) =>
    codeOf(
      s3.createBucket({
        Bucket: uniqueName('backup'),
        CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
        ...input,
      }),
    )

const ownPolicy = (Bucket: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  })

/** Buckets and their settings. */
export const bucketBehaviours: readonly Behaviour[] = [
  {
    title: 'a bucket has its region',
    see: ofBucket(async ({ s3, Bucket }) => {
      const { BucketRegion } = await s3.headBucket({ Bucket })
      return [(await s3.getBucketLocation({ Bucket })).LocationConstraint, BucketRegion]
    }),
    aws: ['eu-west-1', 'eu-west-1'],
  },
  {
    title: 'an owner does not make a bucket again',
    see: ofBucket(({ s3, Bucket }) =>
      codeOf(s3.createBucket({ Bucket, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } })),
    ),
    aws: 'BucketAlreadyOwnedByYou 409',
  },
  {
    title: 'a bucket of another region is not made here',
    see: creating({ CreateBucketConfiguration: { LocationConstraint: 'eu-central-1' } }),
    aws: 'IllegalLocationConstraintException 400',
  },
  {
    // "Bucket naming rules", S3 user guide.
    title: 'a name with capitals is refused',
    see: creating({ Bucket: uniqueName('Backup') }),
    aws: 'InvalidBucketName 400',
    moto: 'done',
  },
  {
    title: 'an unknown bucket is not found',
    see: async ({ s3 }) => {
      const Bucket = uniqueName('none')
      return [await codeOf(s3.getBucketVersioning({ Bucket })), await codeOf(s3.headBucket({ Bucket }))]
    },
    aws: ['NoSuchBucket 404', 'NotFound 404'],
  },
  {
    title: 'an unknown bucket cannot be deleted',
    see: ({ s3 }) => codeOf(s3.deleteBucket({ Bucket: uniqueName('none') })),
    aws: 'NoSuchBucket 404',
  },
  {
    title: 'a bucket with objects cannot be deleted, and can without',
    see: ofBucket(async ({ s3, Bucket, put, remove }) => {
      await put('a')
      const first = await remove()
      await s3.deleteObject({ Bucket, Key: 'a' })
      return [first, await remove(), await codeOf(s3.headBucket({ Bucket }))]
    }),
    aws: ['BucketNotEmpty 409', 'done', 'NotFound 404'],
  },
  {
    // "Default server-side encryption", S3 user guide: since 2023 every bucket has SSE-S3.
    title: 'a new bucket is encrypted with keys of S3',
    see: ofBucket(({ s3, Bucket }) =>
      codeOf(
        s3.getBucketEncryption({ Bucket }),
        ({ ServerSideEncryptionConfiguration }) =>
          ServerSideEncryptionConfiguration?.Rules?.[0]?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm,
      ),
    ),
    aws: 'AES256',
    moto: 'ServerSideEncryptionConfigurationNotFoundError 404',
  },
  {
    title: 'a bucket remembers how it is encrypted',
    see: ofBucket(async ({ s3, Bucket }) => {
      const ServerSideEncryptionConfiguration = {
        Rules: [
          {
            ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' as const },
            BucketKeyEnabled: true,
          },
        ],
      }
      await s3.putBucketEncryption({ Bucket, ServerSideEncryptionConfiguration })
      const found = await s3.getBucketEncryption({ Bucket })
      const [rule] = found.ServerSideEncryptionConfiguration?.Rules ?? []
      return [rule?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm, rule?.BucketKeyEnabled]
    }),
    aws: ['aws:kms', true],
  },
  {
    // "Blocking public access", S3 user guide: since April 2023 all four are on in a new bucket.
    title: 'public access to a new bucket is blocked',
    see: ofBucket(({ s3, Bucket }) =>
      codeOf(s3.getPublicAccessBlock({ Bucket }), ({ PublicAccessBlockConfiguration }) =>
        Object.values(PublicAccessBlockConfiguration ?? {}).every(blocked => blocked),
      ),
    ),
    aws: true,
    moto: 'NoSuchPublicAccessBlockConfiguration 404',
  },
  {
    title: 'the block of public access is changed, and taken away',
    see: ofBucket(async ({ s3, Bucket }) => {
      await s3.putPublicAccessBlock({ Bucket, PublicAccessBlockConfiguration: { BlockPublicAcls: true } })
      const { PublicAccessBlockConfiguration } = await s3.getPublicAccessBlock({ Bucket })
      await s3.deletePublicAccessBlock({ Bucket })
      return [PublicAccessBlockConfiguration, await codeOf(s3.getPublicAccessBlock({ Bucket }))]
    }),
    aws: [
      {
        BlockPublicAcls: true,
        IgnorePublicAcls: false,
        BlockPublicPolicy: false,
        RestrictPublicBuckets: false,
      },
      'NoSuchPublicAccessBlockConfiguration 404',
    ],
  },
  {
    title: 'a bucket has no policy until it is given one',
    see: ofBucket(async ({ s3, Bucket }) => {
      const before = await codeOf(s3.getBucketPolicy({ Bucket }))
      await s3.putBucketPolicy({ Bucket, Policy: ownPolicy(Bucket) })
      const { Policy } = await s3.getBucketPolicy({ Bucket })
      return [before, JSON.parse(Policy ?? '').Statement[0].Effect]
    }),
    aws: ['NoSuchBucketPolicy 404', 'Deny'],
  },
  {
    title: 'a policy of a bucket that is no JSON is refused',
    see: ofBucket(({ s3, Bucket }) => codeOf(s3.putBucketPolicy({ Bucket, Policy: 'nonsense' }))),
    aws: 'MalformedPolicy 400',
    moto: 'done',
  },
  {
    title: "a policy about another bucket's objects is refused",
    see: ofBucket(({ s3, Bucket }) =>
      codeOf(s3.putBucketPolicy({ Bucket, Policy: ownPolicy('another-bucket') })),
    ),
    aws: 'MalformedPolicy 400',
    moto: 'done',
  },
  {
    title: 'a bucket has no lifecycle until it is given one',
    see: ofBucket(async ({ s3, Bucket }) => {
      const before = await codeOf(s3.getBucketLifecycleConfiguration({ Bucket }))
      await s3.putBucketLifecycleConfiguration({
        Bucket,
        LifecycleConfiguration: {
          Rules: [
            {
              ID: 'expire',
              Status: 'Enabled',
              Filter: { Tag: { Key: 'expire', Value: 'true' } },
              Expiration: { Days: 1 },
            },
          ],
        },
      })
      const { Rules } = await s3.getBucketLifecycleConfiguration({ Bucket })
      return [before, Rules?.map(({ ID, Expiration, Filter }) => [ID, Expiration?.Days, Filter?.Tag?.Key])]
    }),
    aws: ['NoSuchLifecycleConfiguration 404', [['expire', 1, 'expire']]],
  },
  {
    title: 'objects expire by the lifecycle',
    see: ofBucket(async ({ s3, Bucket, put, keys, pass }) => {
      const days = 86_400_000
      await put('old/a')
      await put('kept/a')
      await s3.putBucketLifecycleConfiguration({
        Bucket,
        LifecycleConfiguration: {
          Rules: [{ ID: 'old', Status: 'Enabled', Filter: { Prefix: 'old/' }, Expiration: { Days: 1 } }],
        },
      })
      await pass(3 * days)
      return keys()
    }),
    aws: ['kept/a'],
    moto: ['kept/a', 'old/a'],
  },
  {
    // "Virtual hosting of buckets", S3 user guide: 301 names the endpoint to use.
    title: 'a bucket is used through its own region alone',
    see: ofBucket(async endpoint => {
      const { s3 } = endpoint.in('eu-central-1')
      return codeOf(s3.getBucketVersioning({ Bucket: endpoint.Bucket }))
    }),
    aws: 'PermanentRedirect 301',
    moto: 'done',
  },
  {
    // CreateBucket, API reference: BucketAlreadyOwnedByYou is returned "in all AWS Regions except in us-east-1".
    title: 'in us-east-1 an owner may make a bucket again',
    see: async endpoint => {
      const { s3 } = endpoint.in('us-east-1')
      const Bucket = uniqueName('backup')
      const make = () => codeOf(s3.createBucket({ Bucket }))
      return [await make(), await make()]
    },
    aws: ['done', 'done'],
  },
]
