import { type AwsEndpoint, type Behaviour, codeOf } from '../behaviour.ts'
import { uniqueName } from '../unique-name.ts'

/** The region of new buckets. */
export const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const

export interface BucketToMake {
  readonly versioned?: boolean
  /** With object lock, which requires versions. */
  readonly locked?: boolean
}

/** Creates a bucket in eu-west-1, with functions to add objects. */
const freshBucket = async (
  endpoint: AwsEndpoint,
  { versioned = false, locked = false }: BucketToMake = {},
) => {
  const { s3 } = endpoint
  const Bucket = uniqueName('backup')
  await s3.createBucket({ Bucket, CreateBucketConfiguration, ObjectLockEnabledForBucket: locked })
  if (versioned) {
    await s3.putBucketVersioning({ Bucket, VersioningConfiguration: { Status: 'Enabled' } })
  }
  return {
    ...endpoint,
    Bucket,
    /** Puts an object, and returns its version. */
    put: async (Key: string, Body = 'snapshot') => (await s3.putObject({ Bucket, Key, Body })).VersionId,
    read: (Key: string, VersionId?: string) =>
      codeOf(
        s3.getObject({ Bucket, Key, ...(VersionId === undefined ? {} : { VersionId }) }),
        async ({ Body }) => Body?.transformToString(),
      ),
    keys: async (prefix = '') =>
      (await s3.listObjectsV2({ Bucket, Prefix: prefix })).Contents?.map(({ Key }) => Key) ?? [],
    remove: () => codeOf(s3.deleteBucket({ Bucket })),
  }
}

export type FreshBucket = Awaited<ReturnType<typeof freshBucket>>

/** Runs `see` with a new bucket. */
export const ofBucket =
  (see: (bucket: FreshBucket) => Promise<unknown>, input?: BucketToMake): Behaviour['see'] =>
  async endpoint =>
    see(await freshBucket(endpoint, input))
