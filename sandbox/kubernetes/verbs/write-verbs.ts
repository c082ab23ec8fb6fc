import { serverSideApply } from '../apply/server-side-apply.ts'
import { applyType, mediaTypeOf, patchFunction } from '../patch/patch-function.ts'
import type { WriteOptions } from '../requests/api-context.ts'
import { badRequest, invalidOption, methodNotAllowed } from '../requests/api-error.ts'
import { type ApiResponse, jsonResponse } from '../requests/api-request.ts'
import { nothingServed } from '../requests/nothing-served.ts'
import { booleanParameter, writeOptions } from '../requests/resource-query.ts'
import { warningHeader } from '../requests/warning-header.ts'
import type { StoredRevision } from '../store/store.ts'
import { createObject } from '../write/create-object.ts'
import { asObject, decodeBody, decodeText } from '../write/decode-object.ts'
import { type UpdateTarget, updateObject } from '../write/update-object.ts'
import type { ResourceCall } from './resource-call.ts'

const written = (
  { shown }: ResourceCall,
  status: number,
  entry: StoredRevision,
  { warnings }: WriteOptions,
) => warningHeader(jsonResponse(status, shown.one(entry)), warnings)

const optionsOf = ({ query, request }: ResourceCall, kind: Parameters<typeof writeOptions>[2]) =>
  writeOptions(query, request.headers['user-agent'], kind)

const givenObject = ({ request, served }: ResourceCall) =>
  asObject(decodeBody(request.body, request.headers['content-type'], served.type.kind), served)

const updateTarget = ({ target, served }: ResourceCall, isReplace: boolean): UpdateTarget => {
  if (target.name === undefined) throw badRequest('name must be provided')
  return {
    served,
    namespace: target.namespace,
    name: target.name,
    subresource: target.subresource === 'status' ? 'status' : undefined,
    isReplace,
  }
}

export const create = (call: ResourceCall): ApiResponse => {
  const { context, target, served } = call
  if (served.type.namespaced && target.namespace === undefined) {
    if (!served.type.custom) throw methodNotAllowed()
    return nothingServed(context, target)
  }
  const options = optionsOf(call, 'CreateOptions')
  const entry = createObject(context, served, target.namespace, givenObject(call), options)
  return written(call, 201, entry, options)
}

export const replace = (call: ResourceCall): ApiResponse => {
  const updated = updateTarget(call, true)
  const options = optionsOf(call, 'UpdateOptions')
  const object = givenObject(call)
  return written(
    call,
    200,
    updateObject(call.context, updated, options, () => object),
    options,
  )
}

export const patch = (call: ResourceCall): ApiResponse => {
  const { context, request, served, query } = call
  const updated = updateTarget(call, false)
  const options = optionsOf(call, 'PatchOptions')
  const contentType = request.headers['content-type']
  if (mediaTypeOf(contentType) !== applyType) {
    const change = patchFunction(served, contentType, decodeText(request.body))
    return written(call, 200, updateObject(context, updated, options, change), options)
  }
  if (query.get('fieldManager') === null) {
    const text = 'Required value: is required for apply patch'
    throw invalidOption('PatchOptions', 'fieldManager', 'FieldValueRequired', text)
  }
  const force = booleanParameter(query, 'force')
  const { entry, created } = serverSideApply(context, updated, options, decodeText(request.body), force)
  return written(call, created ? 201 : 200, entry, options)
}
