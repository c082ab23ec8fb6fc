import { refuse } from '../service.ts'

export interface ElbTag {
  readonly Key: string
  readonly Value: string
}

type ElbTagInput = { readonly Key?: string | undefined; readonly Value?: string | undefined }

/** @throws AwsError DuplicateTagKeys */
export const newTags = (given: readonly ElbTagInput[] = []): readonly ElbTag[] => {
  const tags = given.map(({ Key = '', Value = '' }) => ({ Key, Value }))
  if (new Set(tags.map(({ Key }) => Key)).size < tags.length) {
    throw refuse('DuplicateTagKeys', 'Tag keys must be unique')
  }
  return tags
}
