import { CreateTagsCommand, type ResourceType, type Tag, type TagSpecification } from '@aws-sdk/client-ec2'
import type { CallContext, Change } from '../../engine/engine.ts'
import type { AwsCloud } from './cloud.ts'
import type { InfrastructureWish } from './wish.ts'

export type Tags = Readonly<Record<string, string>>

/** Tags as attributes: `{ 'tag Name': 'shoot--foo--bar' }`. Tags that others add are left alone. */
export type TagAttributes = { readonly [Key in `tag ${string}`]: string | undefined }

/** The key of the tag that says whose a resource is (contract, provider-aws §2.6). */
export const clusterTag = ({ clusterName }: Pick<InfrastructureWish, 'clusterName'>): string =>
  `kubernetes.io/cluster/${clusterName}`

/** The tags of a resource of the shoot (contract, provider-aws §2.6), without those that the config ignores. */
export const tagsOf = (
  wish: Pick<InfrastructureWish, 'clusterName' | 'ignoreTags'>,
  name: string,
  more: Tags = {},
): Tags => {
  const { keys, keyPrefixes } = wish.ignoreTags
  const ignored = (key: string) => keys.includes(key) || keyPrefixes.some(prefix => key.startsWith(prefix))
  const wished = Object.entries({ [clusterTag(wish)]: 'owned', Name: name, ...more })
  return Object.fromEntries(wished.filter(([key]) => key === clusterTag(wish) || !ignored(key)))
}

export const tagAttributes = (tags: Tags): TagAttributes =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tag ${key}`, value]))

/** The tags that a resource has, as attributes. */
export const foundTags = (tags: readonly Tag[] | undefined): TagAttributes => tagAttributes(readTags(tags))

export const readTags = (tags: readonly Tag[] | undefined): Tags =>
  Object.fromEntries((tags ?? []).flatMap(({ Key, Value = '' }) => (Key === undefined ? [] : [[Key, Value]])))

export const nameOf = (tags: readonly Tag[] | undefined): string => readTags(tags).Name ?? ''

/** Whether a resource carries the tag of what this shoot has made; `1` and `shared` are other things. */
export const isOwned = (
  wish: Pick<InfrastructureWish, 'clusterName'>,
  tags: readonly Tag[] | undefined,
): boolean => readTags(tags)[clusterTag(wish)] === 'owned'

/** The tags among attributes. */
export const tagsAmong = (attributes: Readonly<Record<string, unknown>>): TagAttributes =>
  tagAttributes(readTags(tagsIn(Object.entries(attributes))))

/** For the call that creates something: from the attributes that are wished of it. */
export const tagSpecification = (
  type: ResourceType,
  attributes: Readonly<Record<string, unknown>>,
): TagSpecification[] => [{ ResourceType: type, Tags: tagsIn(Object.entries(attributes)) }]

/** Sets the tags among the changes, in one call; makes none when there are none. */
export const writeTags = async (
  { cloud, signal }: Pick<CallContext<AwsCloud>, 'cloud' | 'signal'>,
  id: string,
  changes: readonly Change[],
): Promise<void> => {
  const tags = tagsIn(changes.map(({ attribute, after }) => [attribute, after]))
  if (tags.length === 0) return
  await cloud.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: tags }), { abortSignal: signal })
}

const tagsIn = (attributes: readonly (readonly [string, unknown])[]): Tag[] =>
  attributes.flatMap(([attribute, value]) =>
    attribute.startsWith('tag ') && typeof value === 'string'
      ? [{ Key: attribute.slice('tag '.length), Value: value }]
      : [],
  )
