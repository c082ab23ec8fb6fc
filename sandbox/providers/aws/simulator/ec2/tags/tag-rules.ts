import type { Tag as SdkTag, TagSpecification } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { invalidValue } from '../core/refusals.ts'
import type { Ec2Tag } from '../rows/resource.ts'

/** "Tag restrictions", EC2 user guide; the lengths are those of `Tag` in the API reference. */
const mostTags = 50

const checkTag = ({ Key, Value }: SdkTag): Ec2Tag => {
  if (Key === undefined || Key === '') throw invalidValue('Tag key cannot be null or empty.')
  if (Key.length > 127) throw invalidValue('Tag key exceeds the maximum length of 127 characters')
  const value = Value ?? ''
  if (value.length > 256) throw invalidValue('Tag value exceeds the maximum length of 256 characters')
  if (/^aws:/i.test(Key)) throw invalidValue("Tag keys starting with 'aws:' are reserved for internal use")
  return { Key, Value: value }
}

/** @throws AwsError for keys and values that AWS refuses, a duplicate key, or too many tags */
export const checkTags = (tags: readonly SdkTag[]): readonly Ec2Tag[] => {
  const checked = tags.map(checkTag)
  const keys = new Set<string>()
  for (const { Key } of checked) {
    if (keys.has(Key)) throw invalidValue(`Duplicate tag key '${Key}' specified.`)
    keys.add(Key)
  }
  return checkCount(checked)
}

const checkCount = (tags: readonly Ec2Tag[]): readonly Ec2Tag[] => {
  const own = tags.filter(({ Key }) => !Key.startsWith('aws:'))
  if (own.length > mostTags) {
    throw refuse('TagLimitExceeded', `The maximum number of Tags for a resource has been reached.`)
  }
  return tags
}

/**
 * Returns the tags for the resources that a request creates, by resource type.
 *
 * @param types the resource types that the operation creates
 */
export const tagsByType = (
  specifications: readonly TagSpecification[] | undefined,
  types: readonly string[],
): ReadonlyMap<string, readonly Ec2Tag[]> => {
  const byType = new Map<string, readonly Ec2Tag[]>()
  for (const { ResourceType: type = '', Tags } of specifications ?? []) {
    if (!types.includes(type)) {
      throw invalidValue(`'${type}' is not a valid taggable resource type for this operation.`)
    }
    if (byType.has(type)) {
      throw invalidValue(`Tag specification resource type '${type}' must not be specified more than once`)
    }
    if (!Tags?.length) throw invalidValue('Tag specification must have at least one tag')
    byType.set(type, checkTags(Tags))
  }
  return byType
}

/** Returns the tags of an operation that creates one kind of resource. */
export const newTags = (
  specifications: readonly TagSpecification[] | undefined,
  type: string,
): readonly Ec2Tag[] => tagsByType(specifications, [type]).get(type) ?? []

/** @throws AwsError if the result has too many tags */
export const withTags = (tags: readonly Ec2Tag[], added: readonly Ec2Tag[]): readonly Ec2Tag[] => {
  const replaced = tags.map(tag => added.find(({ Key }) => Key === tag.Key) ?? tag)
  return checkCount([...replaced, ...added.filter(({ Key }) => !tags.some(tag => tag.Key === Key))])
}

/** Removes the tags of the given keys. If a value is given, it must match too. */
export const withoutTags = (
  tags: readonly Ec2Tag[],
  removed: readonly SdkTag[] | undefined,
): readonly Ec2Tag[] => {
  const all = removed === undefined || removed.length === 0
  return tags.filter(({ Key, Value }) => {
    if (Key.startsWith('aws:')) return true
    return !all && !removed.some(tag => tag.Key === Key && (tag.Value === undefined || tag.Value === Value))
  })
}

/** Copies tags for a response. */
export const tagsOut = (tags: readonly Ec2Tag[]): SdkTag[] => tags.map(tag => ({ ...tag }))
