import { CodedError, configurationProblem, RequeueAfterError } from '../../../../../shared/contract/errors.ts'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'

/** The bucket is not in the region of the object. */
export class BucketElsewhereError extends CodedError {
  override readonly name = 'BucketElsewhereError'
  /** The bucket's region. Undefined: S3 did not report it. */
  readonly bucketRegion: string | undefined

  constructor(doing: string, { name, region }: BucketPlace, bucketRegion: string | undefined) {
    const where = bucketRegion === undefined ? 'in another region' : `in ${bucketRegion}`
    super(
      `${doing}: spec.region is ${region}, but the bucket ${name} already exists ${where}. Set spec.region to that region, or rename the object`,
      { codes: ['ERR_CONFIGURATION_PROBLEM'] },
    )
    this.bucketRegion = bucketRegion
  }
}

/** The bucket does not belong to the account of the Secret. */
export class ForeignBucketError extends CodedError {
  override readonly name = 'ForeignBucketError'

  constructor(doing: string, { name }: BucketPlace) {
    super(
      `${doing}: metadata.name: the bucket ${name} belongs to another AWS account than the credentials of spec.secretRef. Rename the object, or use credentials of that account`,
      { codes: ['ERR_CONFIGURATION_PROBLEM'] },
    )
  }
}

export interface BucketPlace {
  readonly name: string
  readonly region: string
}

/** Delay after S3 reports a pending change of the bucket or its name, in ms. */
const busyDelayMs = 30_000

/**
 * Returns a more specific error for a call on a bucket, or undefined. `region`: the bucket's region from the response.
 */
export const bucketError = (
  error: AwsError,
  doing: string,
  place: BucketPlace,
  region: string | undefined,
): Error | undefined => {
  const problem = (text: string) => configurationProblem(`${doing}: ${text}`, error)
  switch (error.code) {
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return new BucketElsewhereError(doing, place, region)
    case 'BucketAlreadyExists':
      return new ForeignBucketError(doing, place)
    case 'InvalidBucketName':
      return problem(`metadata.name: S3 does not allow the bucket name ${place.name}. Rename the object`)
    case 'InvalidLocationConstraint':
    case 'ENOTFOUND':
      return problem(
        `spec.region: S3 is not available in region ${place.region}. Choose a region that the account may use`,
      )
    case 'OperationAborted':
      return new RequeueAfterError(error, busyDelayMs)
    case 'AccessDenied':
      return error.origin === 'aws' ? accessDenied(error, doing, place) : undefined
    default:
      return undefined
  }
}

/** S3 returns the same error for another account's bucket and for a missing permission. */
const accessDenied = (error: AwsError, doing: string, { name }: BucketPlace): CodedError =>
  new CodedError(
    `${doing}: ${error.said}${/[.!?]$/.test(error.said) ? '' : '.'} Either the credentials of spec.secretRef lack a permission, or the bucket ${name} belongs to another AWS account. Grant the permission that S3 names, or rename the object`,
    { codes: ['ERR_INFRA_UNAUTHORIZED'], cause: error },
  )

/** Returns true if the error that a bucket does not exist has no request id, which every answer of S3 has. */
export const isFromProxy = ({ code }: AwsError, thrown: unknown): boolean =>
  code === 'NoSuchBucket' && Object(Object(thrown).$metadata).requestId === undefined

export const proxyError = ({ said, status }: AwsError, doing: string): AwsError =>
  new AwsError(doing, {
    code: 'NotFromS3',
    status,
    said: `the answer ${said} is not from S3, because it has no request id. Check proxies and endpoints on the way`,
    origin: 'client',
  })

export const isMissingBucket = (error: unknown): boolean =>
  error instanceof AwsError && error.code === 'NoSuchBucket'

/** Returns true if the bucket of that name is in another region or account, so it is not the object's. */
export const isOthersBucket = (error: unknown): error is BucketElsewhereError | ForeignBucketError =>
  error instanceof BucketElsewhereError || error instanceof ForeignBucketError

/**
 * Returns the result of a read, or undefined if a deletion has nothing to do: there is no bucket, or it belongs to
 * others.
 */
export const unlessNotOurs = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (isMissingBucket(error) || isOthersBucket(error)) return undefined
    throw error
  }
}

/** Returns the result of a call, or undefined if the bucket does not exist. */
export const unlessBucketMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (isMissingBucket(error)) return undefined
    throw error
  }
}
