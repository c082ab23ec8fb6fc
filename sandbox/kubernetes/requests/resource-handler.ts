import type { LineQueue } from '../read/line-queue.ts'
import { representationFor } from '../read/representation.ts'
import type { ServedResource } from '../resources/registry.ts'
import { deleteCollection, deleteOne } from '../verbs/delete-verbs.ts'
import { getOne, list, watch } from '../verbs/read-verbs.ts'
import { scaleVerbs } from '../verbs/scale-verbs.ts'
import { verbOf } from '../verbs/verb-of.ts'
import { create, patch, replace } from '../verbs/write-verbs.ts'
import type { ApiContext } from './api-context.ts'
import { methodNotAllowed, notFound } from './api-error.ts'
import type { ApiRequest, ApiResponse } from './api-request.ts'
import { nothingServed } from './nothing-served.ts'
import type { ResourceRequest } from './resource-path.ts'

export type ResourceHandler = (
  request: ApiRequest,
  target: ResourceRequest,
  served: ServedResource,
  query: URLSearchParams,
) => ApiResponse

/** Implements the REST verbs on resources. `trackWatch` is called when a watch starts, and its result when it ends. */
export const createResourceHandler =
  (context: ApiContext, trackWatch: (resource: string, watch: LineQueue) => () => void): ResourceHandler =>
  (request, target, served, query) => {
    const { type, version } = served
    const scale = target.subresource === 'scale' ? version.scale : undefined
    if (
      target.subresource !== undefined &&
      !(target.subresource === 'status' && version.hasStatus) &&
      scale === undefined
    ) {
      throw notFound(type, target.name ?? '')
    }
    if (!type.namespaced && target.namespace !== undefined) return nothingServed(context, target)
    const shown = representationFor(context, served, request.headers.accept, query.get('includeObject'))
    const call = { context, request, target, served, query, shown }
    if (scale !== undefined) return scaleVerbs(call, scale)
    switch (verbOf(request.method, target, query, type.custom)) {
      case 'get':
        return getOne(call)
      case 'list':
        return list(call)
      case 'watch':
        return watch(call, trackWatch)
      case 'create':
        return create(call)
      case 'update':
        return replace(call)
      case 'patch':
        return patch(call)
      case 'delete':
        return deleteOne(call)
      case 'deletecollection':
        return deleteCollection(call)
      case 'other':
        throw methodNotAllowed()
    }
  }
