import type {
  ChangeTagsForResourceRequest,
  ChangeTagsForResourceResponse,
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
} from '@aws-sdk/client-route-53'
import { type Call, refuse } from '../../service.ts'
import type { Route53State } from '../state.ts'
import { bareId, findZone } from './zones.ts'

const taggedZone = (
  { ResourceType, ResourceId }: ListTagsForResourceRequest | ChangeTagsForResourceRequest,
  { state }: Call<Route53State>,
) => {
  if (ResourceType === 'hostedzone') return findZone(state, ResourceId)
  throw refuse(
    'NoSuchHealthCheck',
    `No health check exists with the specified ID: ${bareId(ResourceId ?? '')}`,
  )
}

export const listTagsForResource = (
  input: ListTagsForResourceRequest,
  call: Call<Route53State>,
): ListTagsForResourceResponse => {
  const zone = taggedZone(input, call)
  return { ResourceTagSet: { ResourceType: 'hostedzone', ResourceId: zone.id, Tags: [...zone.tags] } }
}

export const changeTagsForResource = (
  input: ChangeTagsForResourceRequest,
  call: Call<Route53State>,
): ChangeTagsForResourceResponse => {
  const zone = taggedZone(input, call)
  const added = input.AddTags ?? []
  const gone = new Set([...(input.RemoveTagKeys ?? []), ...added.map(tag => tag.Key)])
  const tags = [...zone.tags.filter(tag => !gone.has(tag.Key)), ...added]
  if (tags.length > 50) throw refuse('InvalidInput', 'A resource cannot have more than 50 tags.')
  zone.tags.splice(0, zone.tags.length, ...tags)
  return {}
}
