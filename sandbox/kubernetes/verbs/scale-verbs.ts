import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { mergePatch } from '../../../shared/kubernetes/kubernetes.ts'
import { jsonPatch } from '../patch/json-patch.ts'
import { applyType, mediaTypeOf, parsePatch } from '../patch/patch-function.ts'
import {
  badRequest,
  invalid,
  methodNotAllowed,
  notFound,
  unsupportedMediaType,
} from '../requests/api-error.ts'
import { type ApiResponse, jsonResponse } from '../requests/api-request.ts'
import { writeOptions } from '../requests/resource-query.ts'
import { resourceName } from '../resources/resource-definition.ts'
import { type ScalePaths, scaleOf, withReplicas } from '../resources/scale.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { storeKey } from '../store/object-key.ts'
import { decodeBody, decodeText } from '../write/decode-object.ts'
import { updateObject } from '../write/update-object.ts'
import type { ResourceCall } from './resource-call.ts'
import { verbOf } from './verb-of.ts'

/** Handles `…/scale`: reads and writes the number of replicas without the rest of the object. */
export const scaleVerbs = (call: ResourceCall, paths: ScalePaths): ApiResponse => {
  const { context, request, target, served, query } = call
  const name = target.name ?? ''
  switch (verbOf(request.method, target, query, served.type.custom)) {
    case 'get': {
      const collection = context.store.collection(resourceName(served.type))
      const entry = collection.get(storeKey(target.namespace, name))
      if (!entry) throw notFound(served.type, name)
      return answer(scaleOf(entry.object, paths))
    }
    case 'update': {
      const scale = decodeBody(request.body, request.headers['content-type'], 'Scale')
      return written(call, paths, 'UpdateOptions', () => scale)
    }
    case 'patch':
      return written(call, paths, 'PatchOptions', patchOf(call))
    default:
      throw methodNotAllowed()
  }
}

const answer = (scale: object): ApiResponse => jsonResponse(200, JSON.stringify(scale))

const patchOf = ({ request }: ResourceCall): ((scale: object) => unknown) => {
  const media = mediaTypeOf(request.headers['content-type'])
  const jsonType = 'application/json-patch+json'
  const mergeType = 'application/merge-patch+json'
  const strategicType = 'application/strategic-merge-patch+json'
  if (media !== jsonType && media !== mergeType && media !== strategicType)
    throw unsupportedMediaType([jsonType, mergeType, strategicType, applyType])
  const patch = parsePatch(decodeText(request.body))
  // A Scale has no lists, so a strategic merge is a plain merge.
  return media === jsonType
    ? scale => jsonPatch(scale, patch)
    : scale => (isRecord(patch) ? mergePatch(scale, patch) : patch)
}

const written = (
  call: ResourceCall,
  paths: ScalePaths,
  kind: 'UpdateOptions' | 'PatchOptions',
  change: (scale: object) => unknown,
): ApiResponse => {
  const { context, request, target, served, query } = call
  const name = target.name ?? ''
  const options = writeOptions(query, request.headers['user-agent'], kind)
  const updated = {
    served,
    namespace: target.namespace,
    name,
    subresource: 'scale',
    isReplace: kind === 'UpdateOptions',
  } as const
  const entry = updateObject(context, updated, options, present => {
    const { replicas, metadata } = checked(change(scaleOf(present, paths)), name)
    // The uid in the Scale of a custom resource is ignored.
    const { uid, ...lock } = metadata
    return {
      ...withReplicas(present, paths, replicas),
      metadata: { ...present.metadata, ...lock, ...(uid !== undefined && !served.type.custom && { uid }) },
    }
  })
  return answer(scaleOf(entry.object, paths))
}

/** Validates a received Scale: the number of replicas, and the name of the object. */
const checked = (
  value: unknown,
  name: string,
): { readonly replicas: number; readonly metadata: Partial<KubernetesObject['metadata']> } => {
  if (!isRecord(value) || value.kind !== 'Scale' || value.apiVersion !== 'autoscaling/v1')
    throw badRequest('the object provided is unrecognized (must be of type Scale)')
  const { metadata, spec } = value
  const replicas = isRecord(spec) ? (spec.replicas ?? 0) : 0
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    throw badRequest('unable to decode the Scale')
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
        field: 'spec.replicas',
      },
    ])
  }
  const { uid, resourceVersion } = isRecord(metadata) ? metadata : {}
  return {
    replicas,
    metadata: {
      ...(typeof uid === 'string' && uid !== '' && { uid }),
      ...(typeof resourceVersion === 'string' && resourceVersion !== '' && { resourceVersion }),
    },
  }
}
