import type {
  GetBucketLifecycleConfigurationOutput,
  PutBucketLifecycleConfigurationOutput,
  PutBucketLifecycleConfigurationRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { type BucketInput, findBucket, type S3Call } from './find-bucket.ts'
import { rulesOf } from './lifecycle-sweep.ts'

const defaultMinimum = 'all_storage_classes_128K' as const

/**
 * Replaces the rules of a bucket, unchecked. Expirations are applied (`lifecycle-sweep.ts`). Transitions to
 * other storage classes are only stored.
 */
export const putBucketLifecycleConfiguration = (
  input: PutBucketLifecycleConfigurationRequest,
  call: S3Call,
): PutBucketLifecycleConfigurationOutput => {
  const bucket = findBucket(input, call)
  const rules = input.LifecycleConfiguration?.Rules ?? []
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
