import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Lookup, Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { at, isAbsent, type JsonObject, withAt } from '../garden/json.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { decodeProfileConfig } from './decode-profile-config.ts'
import { findCloudProfile } from './find-profile.ts'
import { flavorWarnings } from './flavor-warnings.ts'
import { mergeImages } from './merge-images.ts'
import { providerConfigIn } from './spec-images.ts'
import { withFlavors } from './with-flavors.ts'

/**
 * Copies the flavors of the AMIs of a NamespacedCloudProfile to its images, if the parent has capabilities. Merges its
 * AMIs into `status.cloudProfileSpec` once Gardener has written the rest of it for this generation.
 */
export const mutateNamespacedCloudProfile: Reviewer = async ({ object }, lookup) => {
  const value = providerConfigIn(object)
  if (isAbsent(value)) return {}
  const decoded = decodeProfileConfig(value, `namespacedCloudProfile spec for '${object.metadata.name}'`)
  if (!decoded.ok) return refusedFor([decoded.message])
  const parent = await parentCapabilities(object, lookup)
  if (!parent.ok) return refusedFor([parent.message])

  const before = at(object, 'spec', 'machineImages')
  const { images, overwritten } = parent.hasCapabilities
    ? withFlavors(before, decoded.config.machineImages)
    : { images: before, overwritten: [] }
  const withSpec: JsonObject = images === before ? object : withAt(object, ['spec', 'machineImages'], images)
  const withStatus = withMergedStatus(withSpec, at(value, 'machineImages'))
  return withStatus === object
    ? {}
    : { changed: { ...object, ...withStatus }, ...flavorWarnings(overwritten) }
}

type Parent =
  | { readonly ok: true; readonly hasCapabilities: boolean }
  | { readonly ok: false; readonly message: string }

const parentCapabilities = async (object: KubernetesObject, lookup: Lookup): Promise<Parent> => {
  const found = await findCloudProfile(String(at(object, 'spec', 'parent', 'name') ?? ''), lookup)
  if (!found.ok) return found
  const definitions = at(found.spec, 'machineCapabilities')
  return { ok: true, hasCapabilities: Array.isArray(definitions) && definitions.length > 0 }
}

const statusImages = ['status', 'cloudProfileSpec', 'providerConfig', 'machineImages'] as const

/** Returns the same object if there is nothing to merge. */
const withMergedStatus = (object: JsonObject, own: unknown): JsonObject => {
  const observed = at(object, 'status', 'observedGeneration')
  if (isAbsent(observed) || observed !== at(object, 'metadata', 'generation')) return object
  if (isAbsent(at(object, 'status', 'cloudProfileSpec', 'providerConfig'))) return object
  const merged = mergeImages(at(object, ...statusImages), own)
  return isDeepStrictEqual(merged, at(object, ...statusImages) ?? [])
    ? object
    : withAt(object, statusImages, merged)
}
