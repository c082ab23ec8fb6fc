import { refuseEfs } from './refusals.ts'
import type { EfsTag } from './state.ts'

type EfsTagInput = { readonly Key?: string | undefined; readonly Value?: string | undefined }

const pattern = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

/**
 * Returns the tags with the added ones ("Tag restrictions", EFS user guide).
 *
 * @throws AwsError BadRequest
 */
export const withTags = (
  present: readonly EfsTag[],
  added: readonly EfsTagInput[] = [],
): readonly EfsTag[] => {
  const tags = added.map(({ Key = '', Value = '' }) => ({ Key, Value }))
  for (const { Key, Value } of tags) {
    if (Key === '' || Key.length > 128 || !pattern.test(Key) || /^aws:/i.test(Key)) {
      throw refuseEfs('BadRequest', `Invalid tag key: ${Key}`)
    }
    if (Value.length > 256 || !pattern.test(Value)) {
      throw refuseEfs('BadRequest', `Invalid tag value for key ${Key}`)
    }
  }
  const keys = new Set(tags.map(({ Key }) => Key))
  if (keys.size < tags.length) throw refuseEfs('BadRequest', 'Duplicate tag keys are not allowed')
  const merged = [...present.filter(({ Key }) => !keys.has(Key)), ...tags]
  if (merged.length > 50) throw refuseEfs('BadRequest', 'A resource can have at most 50 tags')
  return merged
}
