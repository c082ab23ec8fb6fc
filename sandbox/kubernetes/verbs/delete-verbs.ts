import { listObjects } from '../read/list-objects.ts'
import { methodNotAllowed } from '../requests/api-error.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from '../requests/api-request.ts'
import { nothingServed } from '../requests/nothing-served.ts'
import { deleteRequest, numberParameter, selection } from '../requests/resource-query.ts'
import { decodeBody } from '../write/decode-object.ts'
import { deleteObject } from '../write/delete-object.ts'
import type { ResourceCall } from './resource-call.ts'

const bodyOrNothing = (request: ApiRequest): unknown =>
  request.body === undefined || request.body.length === 0
    ? undefined
    : decodeBody(request.body, request.headers['content-type'])

export const deleteOne = ({ context, request, target, served, query, shown }: ResourceCall): ApiResponse => {
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

export const deleteCollection = (call: ResourceCall): ApiResponse => {
  const { context, request, target, served, query, shown } = call
  if (served.type.namespaced && target.namespace === undefined) {
    if (!served.type.custom) throw methodNotAllowed()
    return nothingServed(context, target)
  }
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
