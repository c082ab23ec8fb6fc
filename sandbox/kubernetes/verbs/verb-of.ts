import type { RequestVerb } from '../requests/request-log.ts'
import type { ResourceRequest } from '../requests/resource-path.ts'
import { booleanParameter } from '../requests/resource-query.ts'

const subresourceVerbs: Readonly<Record<string, RequestVerb>> = { GET: 'get', PUT: 'update', PATCH: 'patch' }
const objectVerbs: Readonly<Record<string, RequestVerb>> = { ...subresourceVerbs, DELETE: 'delete' }
const collectionVerbs: Readonly<Record<string, RequestVerb>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
}
/** For custom resources only the method matters; their handler checks the name later, or never. */
const customObjectVerbs: Readonly<Record<string, RequestVerb>> = { ...objectVerbs, POST: 'create' }
const customCollectionVerbs: Readonly<Record<string, RequestVerb>> = {
  ...collectionVerbs,
  PUT: 'update',
  PATCH: 'patch',
}

/** Returns the requested verb; `other`: the resource does not support it. */
export const verbOf = (
  method: string,
  { name, subresource }: Pick<ResourceRequest, 'name' | 'subresource'>,
  query: URLSearchParams,
  isCustom: boolean,
): RequestVerb => {
  // With a name, `watch` is ignored: a single object is watched by a field selector.
  if (method === 'GET' && name === undefined && booleanParameter(query, 'watch')) return 'watch'
  if (subresource !== undefined) return subresourceVerbs[method] ?? 'other'
  const ofCollection = isCustom ? customCollectionVerbs : collectionVerbs
  const ofObject = isCustom ? customObjectVerbs : objectVerbs
  return (name === undefined ? ofCollection : ofObject)[method] ?? 'other'
}
