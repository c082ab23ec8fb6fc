import type {
  Bucket as BucketOutput,
  CreateBucketOutput,
  CreateBucketRequest,
  DeleteBucketRequest,
  GetBucketLocationOutput,
  GetBucketLocationRequest,
  HeadBucketOutput,
  HeadBucketRequest,
  ListBucketsOutput,
  ListBucketsRequest,
} from '@aws-sdk/client-s3'
import { refuseOthers } from '../../serve/takes.ts'
import { refuse } from '../../service.ts'
import { ownerId } from '../lists/list-objects.ts'
import type { Bucket } from '../state.ts'
import { checkBucketName } from './bucket-name.ts'
import { bucketAnywhere, findBucket, type S3Call } from './find-bucket.ts'
import type { S3Rules } from './settings.ts'

/** Creates a bucket with S3's defaults since 2023: SSE-S3, and no public access (S3 user guide). */
export const newBucket = (given: Pick<Bucket, 'name' | 'region' | 'createdAt'>): Bucket => ({
  ...given,
  versioning: undefined,
  lockEnabled: false,
  defaultRetention: undefined,
  encryption: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: false }],
  publicAccess: {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: true,
  },
  policy: undefined,
  lifecycle: undefined,
  objects: [],
  sweptDay: undefined,
})

/** A bucket is created in the region of the endpoint. The request must name that region, except in us-east-1. */
const checkLocation = ({ CreateBucketConfiguration }: CreateBucketRequest, region: string): void => {
  const wanted = CreateBucketConfiguration?.LocationConstraint
  if (CreateBucketConfiguration) {
    refuseOthers(CreateBucketConfiguration, ['LocationConstraint'], 'CreateBucketConfiguration.')
  }
  if (wanted === undefined || (wanted as string) === '') {
    if (region === 'us-east-1') return
    throw refuse(
      'IllegalLocationConstraintException',
      'The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.',
      { status: 400 },
    )
  }
  if (!/^(?:EU|(?:[a-z]{2}|eusc)(?:-[a-z]+)+-\d)$/.test(wanted) || (wanted as string) === 'us-east-1') {
    throw refuse('InvalidLocationConstraint', 'The specified location-constraint is not valid', {
      status: 400,
      members: { LocationConstraint: wanted },
    })
  }
  if (region !== 'us-east-1' && wanted !== region && !(wanted === 'EU' && region === 'eu-west-1')) {
    throw refuse(
      'IllegalLocationConstraintException',
      `The ${wanted} location constraint is incompatible for the region specific endpoint this request was sent to.`,
      { status: 400 },
    )
  }
}

const regionOf = ({ CreateBucketConfiguration }: CreateBucketRequest, region: string): string => {
  const wanted = CreateBucketConfiguration?.LocationConstraint
  return wanted === undefined || (wanted as string) === '' ? region : wanted === 'EU' ? 'eu-west-1' : wanted
}

/** The name of a recently deleted bucket is free at once only for its last owner in the same region. */
const checkReleased = (rules: S3Rules, name: string, region: string, call: S3Call): void => {
  const aborted = [...call.everywhere()].some(([account, { released }]) =>
    released.some(
      gone =>
        gone.name === name &&
        call.clock.now() < gone.at + rules.durations.nameReleased &&
        (account !== call.principal.accountId || gone.region !== region),
    ),
  )
  if (aborted) {
    throw refuse(
      'OperationAborted',
      'A conflicting conditional operation is currently in progress against this resource. Please try again.',
      { status: 409 },
    )
  }
}

const checkCreateAcl = (acl: string | undefined): void => {
  if (acl === undefined || acl === 'private') return
  throw refuse(
    'InvalidBucketAclWithObjectOwnership',
    "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    { status: 400 },
  )
}

export const createBucket =
  (rules: S3Rules) =>
  (input: CreateBucketRequest, call: S3Call): CreateBucketOutput => {
    const name = input.Bucket ?? ''
    checkBucketName(name)
    checkLocation(input, call.region)
    checkCreateAcl(input.ACL)
    const region = regionOf(input, call.region)
    const output = { Location: region === 'us-east-1' ? `/${name}` : `http://${name}.s3.amazonaws.com/` }
    const known = bucketAnywhere(name, call)
    if (known && known.owner !== call.principal.accountId) {
      throw refuse(
        'BucketAlreadyExists',
        'The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.',
        { status: 409, members: { BucketName: name } },
      )
    }
    if (known) {
      // For old clients, only us-east-1 accepts this ("CreateBucket", API reference).
      if (call.region === 'us-east-1' && known.bucket.region === 'us-east-1') return output
      throw refuse(
        'BucketAlreadyOwnedByYou',
        'Your previous request to create the named bucket succeeded and you already own it.',
        { status: 409, members: { BucketName: name } },
      )
    }
    checkReleased(rules, name, region, call)
    const bucket: Bucket = {
      ...newBucket({ name, region, createdAt: call.clock.now() }),
      lockEnabled: input.ObjectLockEnabledForBucket ?? false,
      versioning: input.ObjectLockEnabledForBucket ? 'Enabled' : undefined,
    }
    call.state.buckets = [...call.state.buckets, bucket]
    return output
  }

/** @throws AwsError BucketNotEmpty while any object version exists */
export const deleteBucket = (input: DeleteBucketRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  if (bucket.objects.length > 0) {
    const versioned = bucket.versioning === undefined ? '' : '. You must delete all versions in the bucket.'
    throw refuse('BucketNotEmpty', `The bucket you tried to delete is not empty${versioned}`, {
      status: 409,
      members: { BucketName: bucket.name },
    })
  }
  const { state } = call
  state.buckets = state.buckets.filter(other => other !== bucket)
  state.released = [
    ...state.released.filter(({ name }) => name !== bucket.name),
    { name: bucket.name, region: bucket.region, at: call.clock.now() },
  ]
  return {}
}

export const headBucket = (input: HeadBucketRequest, call: S3Call): HeadBucketOutput => {
  const { name, region } = findBucket(input, call)
  return { BucketRegion: region, BucketArn: `arn:aws:s3:::${name}`, AccessPointAlias: false }
}

/** us-east-1 has no location constraint ("GetBucketLocation", API reference). */
export const getBucketLocation = (input: GetBucketLocationRequest, call: S3Call): GetBucketLocationOutput => {
  const { region } = findBucket(input, call)
  // The output's type lists only the regions that existed when it was written.
  return region === 'us-east-1' ? {} : ({ LocationConstraint: region } as GetBucketLocationOutput)
}

export const listBuckets = (input: ListBucketsRequest, call: S3Call): ListBucketsOutput => {
  const { Prefix = '', BucketRegion, ContinuationToken, MaxBuckets } = input
  const after = ContinuationToken && Buffer.from(ContinuationToken, 'base64url').toString('utf8')
  const found = call.state.buckets
    .filter(({ name, region }) => name.startsWith(Prefix) && (!BucketRegion || region === BucketRegion))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name }) => after === undefined || name > after)
  const page = found.slice(0, MaxBuckets ?? 10_000)
  const end = found.length > page.length ? page.at(-1) : undefined
  const paged = MaxBuckets !== undefined || ContinuationToken !== undefined || BucketRegion !== undefined
  return {
    Buckets: page.map(
      ({ name, region, createdAt }): BucketOutput => ({
        Name: name,
        CreationDate: new Date(createdAt),
        ...(paged ? { BucketRegion: region } : {}),
        BucketArn: `arn:aws:s3:::${name}`,
      }),
    ),
    Owner: { ID: ownerId(call) },
    ...(input.Prefix === undefined ? {} : { Prefix }),
    ...(end ? { ContinuationToken: Buffer.from(end.name).toString('base64url') } : {}),
  }
}
