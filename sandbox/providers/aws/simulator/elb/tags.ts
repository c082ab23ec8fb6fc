import { refuse } from '../service.ts'

export interface ElbTag {
  readonly Key: string
  readonly Value: string
}

type ElbTagInput = { readonly Key?: string | undefined; readonly Value?: string | undefined }

const pattern = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
const invalid = (message: string) => refuse('ValidationError', message, { status: 400 })

/**
 * Returns the tags with the added ones. Classic load balancers can have 10 tags, the others 50 (quotas of the ELB user
 * guides).
 *
 * @throws AwsError ValidationError, DuplicateTagKeys or TooManyTags
 */
export const withTags = (
  present: readonly ElbTag[],
  added: readonly ElbTagInput[] = [],
  most = 50,
): readonly ElbTag[] => {
  const tags = added.map(({ Key = '', Value = '' }) => ({ Key, Value }))
  for (const { Key, Value } of tags) {
    if (Key === '' || Key.length > 128 || !pattern.test(Key))
      throw invalid(`The tag key '${Key}' is not valid`)
    if (Value.length > 256 || !pattern.test(Value)) throw invalid(`The value of tag '${Key}' is not valid`)
    if (/^aws:/i.test(Key)) throw invalid("Tag keys starting with 'aws:' are reserved for system use")
  }
  const keys = new Set(tags.map(({ Key }) => Key))
  if (keys.size < tags.length) throw refuse('DuplicateTagKeys', 'Tag keys must be unique')
  const merged = [...present.filter(({ Key }) => !keys.has(Key)), ...tags]
  if (merged.length > most) throw refuse('TooManyTags', `The maximum number of tags is ${most}`)
  return merged
}
