import type {
  GetObjectLegalHoldOutput,
  GetObjectLegalHoldRequest,
  GetObjectLockConfigurationOutput,
  GetObjectRetentionOutput,
  GetObjectRetentionRequest,
  PutObjectLegalHoldRequest,
  PutObjectLockConfigurationRequest,
  PutObjectRetentionRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../../service.ts'
import { accessDenied, type BucketInput, findBucket, type S3Call } from '../../buckets/find-bucket.ts'
import { malformedXml } from '../../refusals.ts'
import type { Bucket, DefaultRetention } from '../../state.ts'
import { findVersion } from '../versions/find-version.ts'
import { replaceVersion } from '../versions/versions.ts'

const invalid = (code: string, message: string, status = 400) => refuse(code, message, { status })

const retentionOf = ({ ObjectLockConfiguration }: PutObjectLockConfigurationRequest) => {
  const rule = ObjectLockConfiguration?.Rule
  if (rule === undefined) return undefined
  const { Mode, Days, Years } = rule.DefaultRetention ?? {}
  if (Mode !== 'GOVERNANCE' && Mode !== 'COMPLIANCE') throw malformedXml()
  if ((Days === undefined) === (Years === undefined)) throw malformedXml()
  const period = Days ?? Years ?? 0
  if (!(period > 0)) {
    throw invalid('InvalidArgument', 'Default retention period must be a positive integer value.')
  }
  if (period > (Days === undefined ? 100 : 36_500)) {
    throw invalid('InvalidArgument', 'Default retention period too large. The maximum allowed is 100 years.')
  }
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
  if (input.ObjectLockConfiguration?.ObjectLockEnabled !== 'Enabled') throw malformedXml()
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

/** An active retention can be prolonged. Shortening or ending it requires governance mode and the bypass. */
export const putObjectRetention = (input: PutObjectRetentionRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  checkLockable(bucket)
  const version = findVersion(bucket, input)
  const { Mode, RetainUntilDate } = input.Retention ?? {}
  const now = call.clock.now()
  if (!Mode !== !RetainUntilDate) throw malformedXml()
  if (RetainUntilDate && RetainUntilDate.getTime() <= now) {
    throw invalid('InvalidArgument', 'The retain until date must be in the future!')
  }
  const retention = Mode && RetainUntilDate ? { mode: Mode, until: RetainUntilDate.getTime() } : undefined
  const old = version.retention
  if (old && old.until > now) {
    const weaker =
      !retention ||
      retention.until < old.until ||
      (old.mode === 'COMPLIANCE' && retention.mode === 'GOVERNANCE')
    const bypassed = old.mode === 'GOVERNANCE' && input.BypassGovernanceRetention === true
    if (weaker && !bypassed) throw accessDenied('Access Denied because object protected by object lock.')
  }
  replaceVersion(bucket, input.Key ?? '', { ...version, retention })
  return {}
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
  if (status !== 'ON' && status !== 'OFF') throw malformedXml()
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
