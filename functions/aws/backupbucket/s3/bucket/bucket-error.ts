import { CodedError, RequeueAfterError } from '../../../../../shared/contract/errors.ts'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'

/** The bucket is in another region than the object says. */
export class BucketElsewhereError extends CodedError {
  /** Where it is; undefined: S3 did not tell. */
  readonly bucketRegion: string | undefined

  constructor(doing: string, { name, region }: BucketPlace, bucketRegion: string | undefined) {
    const where = bucketRegion === undefined ? 'in another region' : `in ${bucketRegion}`
    super(
      `${doing}: spec.region is ${region}, but there is a bucket ${name} ${where}: name that region, or let the object have another name`,
      { codes: ['ERR_CONFIGURATION_PROBLEM'] },
    )
    this.bucketRegion = bucketRegion
  }
}

/** The bucket belongs to another account than that of the Secret. */
export class ForeignBucketError extends CodedError {
  constructor(doing: string, { name }: BucketPlace) {
    super(
      `${doing}: metadata.name: the bucket ${name} belongs to another AWS account than the credentials of spec.secretRef; let the object have another name, or use credentials of that account`,
      { codes: ['ERR_CONFIGURATION_PROBLEM'] },
    )
  }
}

export interface BucketPlace {
  readonly name: string
  readonly region: string
}

/** Wait after S3 was still busy with a change of the bucket or its name, in ms. */
const busyDelayMs = 30_000

/**
 * Says more about an error of a call on a bucket, or nothing. `region`: what the answer says of where the bucket is.
 */
export const bucketError = (
  error: AwsError,
  doing: string,
  place: BucketPlace,
  region: string | undefined,
): Error | undefined => {
  const problem = (text: string) =>
    new CodedError(`${doing}: ${text}`, { codes: ['ERR_CONFIGURATION_PROBLEM'], cause: error })
  switch (error.code) {
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return new BucketElsewhereError(doing, place, region)
    case 'BucketAlreadyExists':
      return new ForeignBucketError(doing, place)
    case 'InvalidBucketName':
      return problem(
        `metadata.name: S3 takes no bucket called ${place.name}: let the object have another name`,
      )
    case 'InvalidLocationConstraint':
    case 'ENOTFOUND':
      return problem(
        `spec.region: ${place.region} is no region where S3 is found: name one that the account may use`,
      )
    case 'OperationAborted':
      return new RequeueAfterError(error, busyDelayMs)
    case 'AccessDenied':
      return error.origin === 'aws' ? accessDenied(error, doing, place) : undefined
    default:
      return undefined
  }
}

/** S3 says the same of a bucket of somebody else and of a permission that is missing. */
const accessDenied = (error: AwsError, doing: string, { name }: BucketPlace): CodedError =>
  new CodedError(
    `${doing}: ${error.said}${/[.!?]$/.test(error.said) ? '' : '.'} Either the credentials of spec.secretRef lack a permission, or the bucket ${name} belongs to another AWS account: allow them what S3 names, or let the object have another name`,
    { codes: ['ERR_INFRA_UNAUTHORIZED'], cause: error },
  )

export const isMissingBucket = (error: unknown): boolean =>
  error instanceof AwsError && error.code === 'NoSuchBucket'

/** Whether the bucket of a name is in another region or account than the object says, and so is not the object's. */
export const isOthersBucket = (error: unknown): error is BucketElsewhereError | ForeignBucketError =>
  error instanceof BucketElsewhereError || error instanceof ForeignBucketError

/** What a read gives, or undefined where a deletion has nothing to do: there is no bucket, or only one of others. */
export const unlessNotOurs = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (isMissingBucket(error) || isOthersBucket(error)) return undefined
    throw error
  }
}

/** What a promise gives, or undefined when there is no such bucket. */
export const unlessBucketMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (isMissingBucket(error)) return undefined
    throw error
  }
}
