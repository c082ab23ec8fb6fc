import type { KubernetesObject } from '../../../shared/kubernetes/port.ts'
import { unsupportedMediaType } from '../api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { asObject, parseDocument } from '../write/decode-object.ts'
import { jsonPatch } from './json-patch.ts'
import { mergePatch } from './merge-patch.ts'
import { strategicMergePatch } from './strategic-merge-patch.ts'

const jsonType = 'application/json-patch+json'
const mergeType = 'application/merge-patch+json'
const strategicType = 'application/strategic-merge-patch+json'
export const applyType = 'application/apply-patch+yaml'

/** The media type without parameters. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  contentType?.split(';')[0]?.trim() ?? ''

/** Makes a changed object out of the present one, by a PATCH body. Server-side apply goes another way. */
export const patchFunction = (
  served: ServedResource,
  contentType: string | undefined,
  body: string,
): ((present: KubernetesObject) => KubernetesObject) => {
  const { type } = served
  const media = mediaTypeOf(contentType)
  const patch = media === applyType ? undefined : parseDocument(body, false)
  switch (media) {
    case jsonType:
      return present => asObject(jsonPatch(present, patch), served)
    case mergeType:
      return present => asObject(mergePatch(present, patch), served)
    case strategicType:
      if (!type.custom) return present => asObject(strategicMergePatch(present, patch), served)
      break
    default:
      break
  }
  throw unsupportedMediaType([jsonType, mergeType, ...(type.custom ? [] : [strategicType]), applyType])
}
