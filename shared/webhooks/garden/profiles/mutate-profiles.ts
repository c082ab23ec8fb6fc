import { isDeepStrictEqual } from 'node:util'
import { isRecord, valueAt } from '../../../decode/record-of.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import { type Lookup, type Reviewer, type ReviewOutcome, refusedFor } from '../../admission/admission.ts'
import { isAbsent, type JsonObject, withAt } from '../json.ts'
import { findCloudProfile, providerConfigIn } from '../profile.ts'
import { withMergedStatus } from '../with-merged-status.ts'
import { decodeProfileConfig } from './decode-profile-config.ts'
import { flavorsIn, mappingsOf } from './mapping.ts'
import type { ConfigImage, ImagesConfig, ImageWords, ProviderImages } from './provider-images.ts'

/**
 * Returns a mutator that copies the flavors of the provider's images in a CloudProfile to its images, if the profile
 * has capabilities (docs/contract/admission.md#profile-mutators).
 */
export const cloudProfileMutator =
  <C extends ImagesConfig>(provider: ProviderImages<C>): Reviewer =>
  ({ object }) => {
    const value = providerConfigIn(object)
    const definitions = valueAt(object, 'spec', 'machineCapabilities')
    if (isAbsent(value) || !Array.isArray(definitions) || definitions.length === 0) return {}
    const decoded = decodeProfileConfig(
      provider,
      value,
      `CloudProfile ${JSON.stringify(object.metadata.name)}`,
    )
    if (!decoded.ok) return refusedFor([decoded.message])
    const before = valueAt(object, 'spec', 'machineImages')
    const { images, overwritten } = withFlavors(before, decoded.config.machineImages)
    if (images === before) return {}
    return {
      changed: { ...object, ...withAt(object, ['spec', 'machineImages'], images) },
      ...flavorWarnings(overwritten, provider.words),
    }
  }

/**
 * Like `cloudProfileMutator` for a NamespacedCloudProfile, if the parent has capabilities. Also merges its images into
 * `status.cloudProfileSpec` once Gardener has written the rest of it for this generation.
 */
export const namespacedProfileMutator =
  <C extends ImagesConfig>(provider: ProviderImages<C>): Reviewer =>
  async ({ object }, lookup) => {
    const value = providerConfigIn(object)
    if (isAbsent(value)) return {}
    const what = `namespacedCloudProfile spec for '${object.metadata.name}'`
    const decoded = decodeProfileConfig(provider, value, what)
    if (!decoded.ok) return refusedFor([decoded.message])
    const parent = await parentCapabilities(object, lookup)
    if (!parent.ok) return refusedFor([parent.message])

    const before = valueAt(object, 'spec', 'machineImages')
    const { images, overwritten } = parent.hasCapabilities
      ? withFlavors(before, decoded.config.machineImages)
      : { images: before, overwritten: [] }
    const withSpec: JsonObject =
      images === before ? object : withAt(object, ['spec', 'machineImages'], images)
    const withStatus = withMergedStatus(withSpec, valueAt(value, 'machineImages'))
    return withStatus === object
      ? {}
      : { changed: { ...object, ...withStatus }, ...flavorWarnings(overwritten, provider.words) }
  }

type Parent =
  | { readonly ok: true; readonly hasCapabilities: boolean }
  | { readonly ok: false; readonly message: string }

const parentCapabilities = async (object: KubernetesObject, lookup: Lookup): Promise<Parent> => {
  const found = await findCloudProfile(String(valueAt(object, 'spec', 'parent', 'name') ?? ''), lookup)
  if (!found.ok) return found
  const definitions = valueAt(found.spec, 'machineCapabilities')
  return { ok: true, hasCapabilities: Array.isArray(definitions) && definitions.length > 0 }
}

/** `spec.machineImages` with the flavors of the config, and the versions that had their own flavors overwritten. */
interface WithFlavors {
  readonly images: unknown
  /** `gardenlinux@1877.3.0` */
  readonly overwritten: readonly string[]
}

/**
 * Adds to each version the flavors of its images in the config (docs/contract/admission.md#mutators), so that a user
 * writes them only once. Unknown fields of images and versions are retained.
 */
const withFlavors = (machineImages: unknown, config: readonly ConfigImage[]): WithFlavors => {
  const overwritten: string[] = []
  // Gardener's own validation refuses a repeated version. Otherwise each repetition would get every flavor.
  const seen = new Set<string>()
  const mappings = mappingsOf(config)
  const images = eachOf(machineImages, image =>
    withVersions(image, version => {
      const name = String(valueAt(image, 'name') ?? '')
      const text = String(valueAt(version, 'version') ?? '')
      const key = JSON.stringify([name, text])
      const mapping = seen.has(key) ? undefined : mappings.find(name, text)
      seen.add(key)
      if (mapping === undefined) return version
      const flavors = flavorsIn(mapping)
      const before = valueAt(version, 'capabilityFlavors')
      if (flavors.length === 0 || isDeepStrictEqual(before, flavors)) return version
      if (Array.isArray(before) && before.length > 0) overwritten.push(`${name}@${text}`)
      return { ...version, capabilityFlavors: flavors }
    }),
  )
  return { images, overwritten }
}

const withVersions = (image: JsonObject, change: (version: JsonObject) => JsonObject): JsonObject => {
  const versions = valueAt(image, 'versions')
  const changed = eachOf(versions, change)
  return changed === versions ? image : { ...image, versions: changed }
}

/** Returns the same list if nothing changes. */
const eachOf = (list: unknown, change: (item: JsonObject) => JsonObject): unknown => {
  if (!Array.isArray(list)) return list
  const changed = list.map((item: unknown) => (isRecord(item) ? change(item) : item))
  return changed.some((item, index) => item !== list[index]) ? changed : list
}

/** Warns that values of the user were overwritten. */
const flavorWarnings = (
  overwritten: readonly string[],
  { several }: ImageWords,
): Pick<ReviewOutcome, 'warnings'> =>
  overwritten.length === 0
    ? {}
    : {
        warnings: [
          `spec.machineImages: capabilityFlavors of ${overwritten.join(', ')} were replaced by those of spec.providerConfig, which describe its ${several}`,
        ],
      }
