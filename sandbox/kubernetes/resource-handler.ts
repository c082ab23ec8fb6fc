import type { ApiContext } from './api-context.ts'
import { invalidOption, methodNotAllowed, notFound, pageNotFound } from './api-error.ts'
import { type ApiRequest, type ApiResponse, jsonResponse, textResponse } from './api-request.ts'
import { serverSideApply } from './apply/server-side-apply.ts'
import { applyType, mediaTypeOf, patchFunction } from './patch/patch-function.ts'
import type { LineQueue } from './read/line-queue.ts'
import { listObjects } from './read/list-objects.ts'
import { type Representation, representationFor } from './read/representation.ts'
import { watchObjects } from './read/watch-objects.ts'
import type { ResourceRequest } from './request-info.ts'
import type { Verb } from './request-log.ts'
import {
  booleanParameter,
  checkListOptions,
  checkWatchOptions,
  deleteRequest,
  numberParameter,
  selection,
  versionParameter,
  writeOptions,
} from './resource-query.ts'
import type { ServedResource } from './resources/registry.ts'
import { resourceName } from './resources/resource-type.ts'
import { storeKey } from './store/object-key.ts'
import type { Entry } from './store/store.ts'
import { createObject } from './write/create-object.ts'
import { asObject, decodeBody, textOf } from './write/decode-object.ts'
import { deleteObject } from './write/delete-object.ts'
import { type UpdateTarget, updateObject } from './write/update-object.ts'

export interface ResourceHandler {
  verbOf(request: ApiRequest, target: ResourceRequest, query: URLSearchParams): Verb
  handle(
    request: ApiRequest,
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
  ): ApiResponse
}

const subresourceVerbs: Readonly<Record<string, Verb>> = { GET: 'get', PUT: 'update', PATCH: 'patch' }
const objectVerbs: Readonly<Record<string, Verb>> = { ...subresourceVerbs, DELETE: 'delete' }
const collectionVerbs: Readonly<Record<string, Verb>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
}

const withWarnings = (warnings: readonly string[]): Readonly<Record<string, string>> =>
  warnings.length === 0 ? {} : { warning: warnings.map(text => `299 - ${JSON.stringify(text)}`).join(', ') }

/** Seconds after which a watch ends when the client does not say: between 30 and 60 minutes, so not all at once. */
const defaultWatchSeconds = (): number => 1_800 + Math.floor(Math.random() * 1_800)

/** The REST verbs on resources. `trackWatch` hears of every watch that starts, and of its end. */
export const createResourceHandler = (
  context: ApiContext,
  trackWatch: (resource: string, watch: LineQueue) => () => void,
): ResourceHandler => {
  const read = (target: ResourceRequest, { type }: ServedResource): Entry => {
    const name = target.name ?? ''
    const entry = context.store.collection(resourceName(type)).get(storeKey(target.namespace, name))
    if (!entry) throw notFound(type, name)
    return entry
  }

  const list = (
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
    shown: Representation,
  ): ApiResponse => {
    checkListOptions(query)
    const page = listObjects(context, served, {
      namespace: target.namespace,
      ...selection(query, served.version),
      limit: numberParameter(query, 'limit'),
      continue: query.get('continue') || undefined,
      resourceVersion: versionParameter(query),
      resourceVersionMatch: query.get('resourceVersionMatch') ?? undefined,
    })
    return jsonResponse(200, shown.list(page.entries, page.metadata))
  }

  const watch = (
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
    shown: Representation,
  ): ApiResponse => {
    checkWatchOptions(query)
    const queue = watchObjects(
      context,
      served,
      {
        namespace: target.namespace,
        matches: selection(query, served.version).matches,
        resourceVersion: versionParameter(query),
        sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
        bookmarks: booleanParameter(query, 'allowWatchBookmarks'),
        timeoutSeconds: numberParameter(query, 'timeoutSeconds') ?? defaultWatchSeconds(),
      },
      shown,
      started => trackWatch(resourceName(served.type), started),
    )
    return { status: 200, headers: { 'content-type': 'application/json' }, body: queue }
  }

  const create = (
    request: ApiRequest,
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
    shown: Representation,
  ): ApiResponse => {
    if (served.type.namespaced && target.namespace === undefined) return textResponse(404, pageNotFound)
    const options = writeOptions(query, request.headers['user-agent'], 'CreateOptions')
    const object = asObject(
      decodeBody(request.body, request.headers['content-type'], served.type.kind),
      served,
    )
    const entry = createObject(context, served, target.namespace, object, options)
    return jsonResponse(201, shown.one(entry), withWarnings(options.warnings))
  }

  const update = (
    request: ApiRequest,
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
    shown: Representation,
  ): ApiResponse => {
    const options = writeOptions(
      query,
      request.headers['user-agent'],
      request.method === 'PUT' ? 'UpdateOptions' : 'PatchOptions',
    )
    const contentType = request.headers['content-type']
    const updated: UpdateTarget = {
      served,
      namespace: target.namespace,
      name: target.name ?? '',
      subresource: target.subresource === 'status' ? 'status' : undefined,
      isReplace: request.method === 'PUT',
    }
    if (request.method === 'PUT') {
      const object = asObject(decodeBody(request.body, contentType, served.type.kind), served)
      const entry = updateObject(context, updated, options, () => object)
      return jsonResponse(200, shown.one(entry), withWarnings(options.warnings))
    }
    if (mediaTypeOf(contentType) === applyType) {
      const force = booleanParameter(query, 'force')
      if (query.get('fieldManager') === null) {
        const text = 'Required value: is required for apply patch'
        throw invalidOption('PatchOptions', 'fieldManager', 'FieldValueRequired', text)
      }
      const { entry, created } = serverSideApply(context, updated, options, textOf(request.body), force)
      return jsonResponse(created ? 201 : 200, shown.one(entry), withWarnings(options.warnings))
    }
    const change = patchFunction(served, contentType, textOf(request.body))
    const entry = updateObject(context, updated, options, change)
    return jsonResponse(200, shown.one(entry), withWarnings(options.warnings))
  }

  const remove = (
    request: ApiRequest,
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
    shown: Representation,
  ): ApiResponse => {
    const { type } = served
    const options = deleteRequest(query, bodyOrNothing(request))
    const name = target.name ?? ''
    const { outcome, entry } = deleteObject(context, type, target.namespace, name, options)
    if (outcome === 'waiting') return jsonResponse(200, shown.one(entry))
    return jsonResponse(200, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name,
        ...(type.group === '' ? {} : { group: type.group }),
        kind: type.plural,
        uid: entry.object.metadata.uid,
      },
    })
  }

  const removeAll = (
    request: ApiRequest,
    target: ResourceRequest,
    served: ServedResource,
    query: URLSearchParams,
    shown: Representation,
  ): ApiResponse => {
    if (served.type.namespaced && target.namespace === undefined) return textResponse(404, pageNotFound)
    const { entries, metadata } = listObjects(context, served, {
      namespace: target.namespace,
      ...selection(query, served.version),
      limit: numberParameter(query, 'limit'),
      continue: undefined,
      resourceVersion: undefined,
      resourceVersionMatch: undefined,
    })
    const options = deleteRequest(query, bodyOrNothing(request))
    for (const { object } of entries) {
      deleteObject(context, served.type, object.metadata.namespace, object.metadata.name, options)
    }
    return jsonResponse(200, shown.list(entries, metadata))
  }

  const verbOf = (request: ApiRequest, target: ResourceRequest, query: URLSearchParams): Verb => {
    // With a name, `watch` is not looked at: one object is watched by a field selector.
    const isWatch = request.method === 'GET' && target.name === undefined && booleanParameter(query, 'watch')
    if (isWatch) return 'watch'
    const verbs =
      target.subresource !== undefined
        ? subresourceVerbs
        : target.name === undefined
          ? collectionVerbs
          : objectVerbs
    return verbs[request.method] ?? 'other'
  }

  return {
    verbOf,
    handle: (request, target, served, query) => {
      const { type, version } = served
      if (target.subresource !== undefined && !(target.subresource === 'status' && version.hasStatus)) {
        throw notFound(type, target.name ?? '')
      }
      if (!type.namespaced && target.namespace !== undefined) {
        throw notFound(type, target.name ?? '')
      }
      const shown = representationFor(context, served, request.headers.accept, query.get('includeObject'))
      switch (verbOf(request, target, query)) {
        case 'get':
          return jsonResponse(200, shown.one(read(target, served)))
        case 'list':
          return list(target, served, query, shown)
        case 'watch':
          return watch(target, served, query, shown)
        case 'create':
          return create(request, target, served, query, shown)
        case 'update':
        case 'patch':
          return update(request, target, served, query, shown)
        case 'delete':
          return remove(request, target, served, query, shown)
        case 'deletecollection':
          return removeAll(request, target, served, query, shown)
        case 'other':
          throw methodNotAllowed()
      }
    },
  }
}

const bodyOrNothing = (request: ApiRequest): unknown =>
  request.body === undefined || request.body.length === 0
    ? undefined
    : decodeBody(request.body, request.headers['content-type'])
