import { refuse } from '../../service.ts'
import type { S3Tag } from '../state.ts'

type S3TagInput = { readonly Key?: string | undefined; readonly Value?: string | undefined }

const pattern = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
const invalid = (message: string, tag: string) =>
  refuse('InvalidTag', message, { status: 400, members: { TagKey: tag } })

/**
 * Validates a set of tags: at most 50 on a bucket, 10 on an object ("Object tags and additional information", S3 user
 * guide).
 *
 * @throws AwsError InvalidTag or BadRequest
 */
export const tagSet = (given: readonly S3TagInput[], owner: 'bucket' | 'object'): readonly S3Tag[] => {
  const tags = given.map(({ Key = '', Value = '' }) => ({ Key, Value }))
  const most = owner === 'bucket' ? 50 : 10
  if (tags.length > most) {
    throw refuse(
      'BadRequest',
      `${owner === 'bucket' ? 'Bucket' : 'Object'} tag count cannot be greater than ${most}`,
      { status: 400 },
    )
  }
  for (const { Key, Value } of tags) {
    if (Key === '' || Key.length > 128 || !pattern.test(Key)) {
      throw invalid('The TagKey you have provided is invalid', Key)
    }
    if (Value.length > 256 || !pattern.test(Value)) {
      throw invalid('The TagValue you have provided is invalid', Key)
    }
    if (Key.startsWith('aws:')) throw invalid('System tags cannot be added/updated by requester', Key)
  }
  if (new Set(tags.map(({ Key }) => Key)).size < tags.length) {
    throw invalid('Cannot provide multiple Tags with the same key', '')
  }
  return tags
}

/** Returns the tags in the header `x-amz-tagging`: `a=1&b=2`. */
export const tagsOfHeader = (header: string | undefined): readonly S3Tag[] =>
  tagSet(
    [...new URLSearchParams(header ?? '')].map(([Key, Value]) => ({ Key, Value })),
    'object',
  )
