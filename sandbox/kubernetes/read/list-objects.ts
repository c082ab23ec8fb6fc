import type { ApiContext } from '../requests/api-context.ts'
import { type ApiError, badRequest, expired, versionTooLarge } from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { resourceName } from '../resources/resource-definition.ts'
import { namespacePrefix } from '../store/object-key.ts'
import type { Collection, StoredRevision } from '../store/store.ts'
import type { ListMeta } from './representation.ts'
import type { Predicate } from './selectors.ts'

export interface ListRequest {
  readonly namespace: string | undefined
  readonly matches: Predicate
  /** If there is a selector, the remaining items are not counted. */
  readonly isFiltered: boolean
  readonly limit: number | undefined
  readonly continue: string | undefined
  readonly resourceVersion: number | undefined
  readonly resourceVersionMatch: string | undefined
}

/** The position in a paged list: the list's version, and the key after which the next page starts. */
interface ContinueToken {
  /** -1: use the current state, without consistency. */
  readonly rv: number
  readonly after: string
}

const encodeToken = (token: ContinueToken): string => Buffer.from(JSON.stringify(token)).toString('base64url')

const decodeToken = (text: string): ContinueToken => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (typeof value === 'object' && value !== null && 'rv' in value && 'after' in value) {
      if (typeof value.rv === 'number' && typeof value.after === 'string') {
        return { rv: value.rv, after: value.after }
      }
    }
  } catch {
    // All unreadable tokens get the error below.
  }
  throw badRequest('invalid continue token: continue key is not valid: it was not given out by this server')
}

const tokenExpired = (after: string): ApiError =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    { continue: encodeToken({ rv: -1, after }) },
  )

const snapshotOf = (
  context: ApiContext,
  collection: Collection,
  request: ListRequest,
  token: ContinueToken | undefined,
): { readonly entries: readonly StoredRevision[]; readonly version: number } => {
  const current = context.store.version()
  const prefix = namespacePrefix(request.namespace)
  const { resourceVersion, resourceVersionMatch } = request
  if (token && resourceVersion !== undefined && resourceVersion !== 0) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  if (resourceVersion !== undefined && resourceVersion > current) {
    throw versionTooLarge(resourceVersion, current)
  }
  const exact = resourceVersionMatch === 'Exact' ? resourceVersion : undefined
  const at = token && token.rv >= 0 ? token.rv : exact
  if (at === undefined || at === current) return { entries: collection.list(prefix), version: current }
  const entries = collection.listAt(at, prefix)
  if (entries) return { entries, version: at }
  throw token
    ? tokenExpired(token.after)
    : expired(`The resourceVersion for the provided list is too old: ${at}`)
}

/** Returns one page of a list, sorted by namespace and name. All pages of a list show the state of the first. */
export const listObjects = (
  context: ApiContext,
  served: ServedResource,
  request: ListRequest,
): { readonly entries: readonly StoredRevision[]; readonly metadata: ListMeta } => {
  const collection = context.store.collection(resourceName(served.type))
  const token = request.continue ? decodeToken(request.continue) : undefined
  const { entries, version } = snapshotOf(context, collection, request, token)
  const left = entries.filter(entry => {
    const { namespace, name } = entry.object.metadata
    const key = namespace === undefined ? name : `${namespace}/${name}`
    return (token === undefined || key > token.after) && request.matches(entry.object)
  })
  const resourceVersion = String(version)
  if (request.limit === undefined || request.limit <= 0 || left.length <= request.limit) {
    return { entries: left, metadata: { resourceVersion } }
  }
  const page = left.slice(0, request.limit)
  const { namespace, name = '' } = page.at(-1)?.object.metadata ?? {}
  const after = namespace === undefined ? name : `${namespace}/${name}`
  return {
    entries: page,
    metadata: {
      resourceVersion,
      continue: encodeToken({ rv: version, after }),
      ...(request.isFiltered ? {} : { remainingItemCount: left.length - page.length }),
    },
  }
}
