import type {
  GetObjectTaggingOutput,
  GetObjectTaggingRequest,
  PutObjectTaggingOutput,
  PutObjectTaggingRequest,
} from '@aws-sdk/client-s3'
import { findBucket, type S3Call } from '../buckets/find-bucket.ts'
import { tagSet } from '../buckets/tags.ts'
import { findVersion, showVersionId } from './versions/find-version.ts'
import { replaceVersion } from './versions/versions.ts'

/** Tags of locked versions can be changed too. */
export const putObjectTagging = (input: PutObjectTaggingRequest, call: S3Call): PutObjectTaggingOutput => {
  const bucket = findBucket(input, call)
  const version = findVersion(bucket, input)
  const tags = tagSet(input.Tagging?.TagSet ?? [], 'object')
  replaceVersion(bucket, input.Key ?? '', { ...version, tags })
  return showVersionId(bucket, version)
}

export const getObjectTagging = (input: GetObjectTaggingRequest, call: S3Call): GetObjectTaggingOutput => {
  const bucket = findBucket(input, call)
  const version = findVersion(bucket, input)
  return { TagSet: [...version.tags], ...showVersionId(bucket, version) }
}
