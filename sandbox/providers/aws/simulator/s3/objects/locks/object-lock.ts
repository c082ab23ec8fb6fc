import type {
  GetObjectLegalHoldOutput,
  GetObjectLegalHoldRequest,
  GetObjectLockConfigurationOutput,
  GetObjectRetentionOutput,
  GetObjectRetentionRequest,
  PutObjectLegalHoldRequest,
  PutObjectLockConfigurationRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../../service.ts'
import { type BucketInput, findBucket, type S3Call } from '../../buckets/find-bucket.ts'
import type { Bucket, DefaultRetention } from '../../state.ts'
import { findVersion } from '../versions/find-version.ts'
import { replaceVersion } from '../versions/versions.ts'

const invalid = (code: string, message: string, status = 400) => refuse(code, message, { status })

const retentionOf = ({ ObjectLockConfiguration }: PutObjectLockConfigurationRequest) => {
  const rule = ObjectLockConfiguration?.Rule
  if (rule === undefined) return undefined
  const { Mode = 'GOVERNANCE', Days, Years } = rule.DefaultRetention ?? {}
  const period = Days ?? Years ?? 0
  const kept: DefaultRetention = {
    mode: Mode,
    ...(Days === undefined ? { years: period } : { days: period }),
  }
  return kept
}

/** The rule can be changed and removed at any time. It applies to new objects. */
export const putObjectLockConfiguration = (
  input: PutObjectLockConfigurationRequest,
  call: S3Call,
): object => {
  const bucket = findBucket(input, call)
  const retention = retentionOf(input)
  if (bucket.versioning !== 'Enabled') {
    throw invalid(
      'InvalidBucketState',
      "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration",
      409,
    )
  }
  bucket.lockEnabled = true
  bucket.defaultRetention = retention
  return {}
}

export const getObjectLockConfiguration = (
  input: BucketInput,
  call: S3Call,
): GetObjectLockConfigurationOutput => {
  const { lockEnabled, defaultRetention, name } = findBucket(input, call)
  if (!lockEnabled) {
    throw refuse(
      'ObjectLockConfigurationNotFoundError',
      'Object Lock configuration does not exist for this bucket',
      { status: 404, members: { BucketName: name } },
    )
  }
  return {
    ObjectLockConfiguration: {
      ObjectLockEnabled: 'Enabled',
      ...(defaultRetention
        ? {
            Rule: {
              DefaultRetention: {
                Mode: defaultRetention.mode,
                ...(defaultRetention.days === undefined ? {} : { Days: defaultRetention.days }),
                ...(defaultRetention.years === undefined ? {} : { Years: defaultRetention.years }),
              },
            },
          }
        : {}),
    },
  }
}

const checkLockable = (bucket: Bucket): void => {
  if (!bucket.lockEnabled) throw invalid('InvalidRequest', 'Bucket is missing Object Lock Configuration')
}

const noLock = () =>
  refuse('NoSuchObjectLockConfiguration', 'The specified object does not have a ObjectLock configuration', {
    status: 404,
  })

export const getObjectRetention = (
  input: GetObjectRetentionRequest,
  call: S3Call,
): GetObjectRetentionOutput => {
  const bucket = findBucket(input, call)
  checkLockable(bucket)
  const { retention } = findVersion(bucket, input)
  if (!retention) throw noLock()
  return { Retention: { Mode: retention.mode, RetainUntilDate: new Date(retention.until) } }
}

export const putObjectLegalHold = (input: PutObjectLegalHoldRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  checkLockable(bucket)
  const version = findVersion(bucket, input)
  const status = input.LegalHold?.Status
  replaceVersion(bucket, input.Key ?? '', { ...version, legalHold: status === 'ON' })
  return {}
}

export const getObjectLegalHold = (
  input: GetObjectLegalHoldRequest,
  call: S3Call,
): GetObjectLegalHoldOutput => {
  const bucket = findBucket(input, call)
  checkLockable(bucket)
  return { LegalHold: { Status: findVersion(bucket, input).legalHold ? 'ON' : 'OFF' } }
}
