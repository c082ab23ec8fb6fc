import type {
  GetBucketLifecycleConfigurationOutput,
  LifecycleRule,
  PutBucketLifecycleConfigurationOutput,
  PutBucketLifecycleConfigurationRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { malformedXml } from '../refusals.ts'
import { type BucketInput, findBucket, type S3Call } from './find-bucket.ts'
import { rulesOf } from './lifecycle-sweep.ts'

const invalid = (code: 'InvalidArgument' | 'InvalidRequest', message: string) =>
  refuse(code, message, { status: 400 })

const checkPositive = (days: number | undefined, name: string, action: string): void => {
  if (days !== undefined && !(Number.isInteger(days) && days > 0)) {
    throw invalid('InvalidArgument', `'${name}' for ${action} action must be a positive integer`)
  }
}

const checkExpiration = ({ Expiration: expiration }: LifecycleRule, tagged: boolean): void => {
  if (!expiration) return
  const { Days, Date: date, ExpiredObjectDeleteMarker } = expiration
  const kinds = [Days, date, ExpiredObjectDeleteMarker].filter(value => value !== undefined)
  if (kinds.length !== 1) throw malformedXml()
  checkPositive(Days, 'Days', 'Expiration')
  if (date && date.getTime() % 86_400_000 !== 0) {
    throw invalid('InvalidArgument', "'Date' must be at midnight GMT")
  }
  if (ExpiredObjectDeleteMarker && tagged) {
    throw invalid('InvalidRequest', 'ExpiredObjectDeleteMarker cannot be specified with Tags.')
  }
}

const checkFilter = ({ Filter, Prefix }: LifecycleRule): void => {
  if ((Filter === undefined) === (Prefix === undefined)) throw malformedXml()
  if (!Filter) return
  const members = Object.entries(Filter).filter(([, value]) => value !== undefined)
  if (members.length > 1) throw malformedXml()
  const parts = Filter.And
  if (!parts) return
  const { Tags = [], ...others } = parts
  const count = Tags.length + Object.values(others).filter(value => value !== undefined).length
  if (count < 2) throw malformedXml()
}

const checkRule = (rule: LifecycleRule): void => {
  if (rule.Status !== 'Enabled' && rule.Status !== 'Disabled') throw malformedXml()
  if ((rule.ID?.length ?? 0) > 255) {
    throw invalid('InvalidArgument', 'ID length should not exceed allowed limit of 255')
  }
  checkFilter(rule)
  const tagged = rule.Filter?.Tag !== undefined || (rule.Filter?.And?.Tags ?? []).length > 0
  const actions = [
    rule.Expiration,
    rule.NoncurrentVersionExpiration,
    rule.AbortIncompleteMultipartUpload,
    rule.Transitions?.[0],
    rule.NoncurrentVersionTransitions?.[0],
  ]
  if (actions.every(action => action === undefined)) {
    throw invalid('InvalidRequest', 'At least one action needs to be specified in a rule')
  }
  checkExpiration(rule, tagged)
  const { NoncurrentDays } = rule.NoncurrentVersionExpiration ?? {}
  if (rule.NoncurrentVersionExpiration && NoncurrentDays === undefined) throw malformedXml()
  checkPositive(NoncurrentDays, 'NoncurrentDays', 'NoncurrentVersionExpiration')
  const abort = rule.AbortIncompleteMultipartUpload
  if (abort && abort.DaysAfterInitiation === undefined) throw malformedXml()
  checkPositive(abort?.DaysAfterInitiation, 'DaysAfterInitiation', 'AbortIncompleteMultipartUpload')
  if (abort && tagged) {
    throw invalid('InvalidRequest', 'AbortIncompleteMultipartUpload cannot be specified with Tags.')
  }
}

const defaultMinimum = 'all_storage_classes_128K' as const

/**
 * Replaces the rules of a bucket. Expirations and aborted uploads are applied (`lifecycle-sweep.ts`). Transitions to
 * other storage classes are only stored.
 */
export const putBucketLifecycleConfiguration = (
  input: PutBucketLifecycleConfigurationRequest,
  call: S3Call,
): PutBucketLifecycleConfigurationOutput => {
  const bucket = findBucket(input, call)
  const rules = input.LifecycleConfiguration?.Rules ?? []
  if (rules.length === 0 || rules.length > 1000) throw malformedXml()
  for (const rule of rules) checkRule(rule)
  const ids = rules.flatMap(({ ID }) => (ID ? [ID] : []))
  if (new Set(ids).size < ids.length) {
    throw invalid('InvalidArgument', 'Rule ID must be unique. Found same ID for more than one rule')
  }
  bucket.lifecycle = JSON.stringify(rules.map(rule => ({ ...rule, ID: rule.ID || call.newId(48) })))
  bucket.sweptDay = undefined
  return { TransitionDefaultMinimumObjectSize: input.TransitionDefaultMinimumObjectSize ?? defaultMinimum }
}

export const getBucketLifecycleConfiguration = (
  input: BucketInput,
  call: S3Call,
): GetBucketLifecycleConfigurationOutput => {
  const { lifecycle, name } = findBucket(input, call)
  if (!lifecycle) {
    throw refuse('NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist', {
      status: 404,
      members: { BucketName: name },
    })
  }
  return { Rules: rulesOf(lifecycle), TransitionDefaultMinimumObjectSize: defaultMinimum }
}

export const deleteBucketLifecycle = (input: BucketInput, call: S3Call): object => {
  findBucket(input, call).lifecycle = undefined
  return {}
}
