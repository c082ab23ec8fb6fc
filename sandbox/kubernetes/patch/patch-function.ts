import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { mergePatch } from '../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import {
  ApiError,
  badPatch,
  badRequest,
  invalid,
  UndecodableError,
  unsupportedMediaType,
} from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf } from '../resources/resource-definition.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { asObject } from '../write/decode-object.ts'
import { jsonPatch } from './json-patch.ts'
import { strategicMergePatch } from './strategic-merge-patch.ts'

const jsonType = 'application/json-patch+json'
const mergeType = 'application/merge-patch+json'
const strategicType = 'application/strategic-merge-patch+json'
export const applyType = 'application/apply-patch+yaml'

/** The media type without parameters. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  contentType?.split(';')[0]?.trim() ?? ''

export const parsePatch = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw badRequest(`error decoding patch: ${messageOf(error)}`)
  }
}

const noObject = (patch: unknown): ApiError => {
  const type = Array.isArray(patch) ? 'array' : typeof patch
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  )
}

const asPatched = (value: unknown, served: ServedResource): KubernetesObject => {
  const { type, version } = served
  const expected = apiVersionOf(type.group, version.name)
  if (type.custom && isRecord(value) && isRecord(value.metadata) && value.apiVersion !== expected) {
    const message = `Invalid value: ${JSON.stringify(value.apiVersion)}: must be ${expected}`
    const cause = { reason: 'FieldValueInvalid', message, field: 'apiVersion' }
    throw invalid(type, String(value.metadata.name ?? ''), [cause])
  }
  try {
    return asObject(value, served)
  } catch (error) {
    if (error instanceof UndecodableError) throw badPatch(value, error.why)
    // A patch of a built-in object cannot change its kind or version.
    throw error instanceof ApiError && error.failure.code === 400 && !type.custom
      ? badPatch(value, error.message)
      : error
  }
}

/** Returns a function that applies a PATCH body to an object. Server-side apply is separate. */
export const patchFunction = (
  served: ServedResource,
  contentType: string | undefined,
  body: string,
): ((present: KubernetesObject) => KubernetesObject) => {
  const { type } = served
  const media = mediaTypeOf(contentType)
  const patch = media === applyType ? undefined : parsePatch(body)
  switch (media) {
    case jsonType:
      return present => asPatched(jsonPatch(present, patch), served)
    case mergeType:
      if (!isRecord(patch)) throw noObject(patch)
      return present => asPatched(mergePatch(present, patch), served)
    case strategicType:
      if (!type.custom) return present => asPatched(strategicMergePatch(present, patch), served)
      break
    default:
      break
  }
  throw unsupportedMediaType([jsonType, mergeType, ...(type.custom ? [] : [strategicType]), applyType])
}
