import {
  architecture,
  areCompatible,
  areEqual,
  type CapabilityDefinition,
  type CapabilityValues,
  defaultArchitecture,
  definitionsOf,
  hasCapabilities,
  ofArchitecture,
  preferredOf,
  printed,
} from '../../../../../shared/contract/machine-capabilities.ts'
import type { GlanceImageVersion, OpenStackMachinesProfile } from '../config/machines-profile.ts'
import type { GlanceImageInUse } from '../config/worker-status.ts'

/** An image in one region: its id, or, if that is empty, its name in all regions. */
export interface GlanceImage {
  readonly id: string
  readonly name: string
  readonly capabilities: CapabilityValues
}

export interface GlanceImageRequest {
  readonly name: string
  readonly version: string
  readonly region: string
  readonly machine: CapabilityValues
  /** The pool's architecture. Default: amd64. */
  readonly architecture: string
}

/** An image, or the user's error message if there is none: the Go extension's text, then the reason. */
export type FoundGlanceImage =
  | { readonly ok: true; readonly image: GlanceImage }
  | { readonly ok: false; readonly message: string }

/**
 * Returns the image of a pool (docs/contract/workers-openstack.md#images): from the CloudProfile, or the one that the
 * Worker already uses if the CloudProfile no longer has it.
 *
 * @param imagesInUse `machineImages` of `status.providerStatus`
 */
export const findImage = (
  profile: OpenStackMachinesProfile,
  imagesInUse: readonly GlanceImageInUse[],
  request: GlanceImageRequest,
): FoundGlanceImage => {
  const definitions = definitionsOf(profile)
  const offered = inRegion(flavorsOf(profile, request), request.region)
  const fitting = offered.filter(({ capabilities }) =>
    areCompatible(definitions, request.machine, capabilities),
  )
  const [best, ...equal] = preferredOf(definitions, fitting)
  if (best !== undefined && equal.length === 0) return { ok: true, image: best }
  const kept = imagesInUse.find(image => suits(definitions, hasCapabilities(profile), image, request))
  if (kept !== undefined) return { ok: true, image: retained(kept) }
  const why =
    best === undefined
      ? whyNone(profile, request, offered)
      : `${[best, ...equal].map(shownImage).join(' and ')} of the cloud profile match equally well`
  return { ok: false, message: `${said(profile, request)}: ${why}` }
}

const shownImage = ({ id, name }: GlanceImage): string => id || name

/** Converts an image of a status. Without capabilities, it is for its architecture, by default amd64. */
export const retained = ({ id, image, capabilities, architecture: own }: GlanceImageInUse): GlanceImage => ({
  id,
  name: image,
  capabilities: capabilities ?? ofArchitecture(own || defaultArchitecture),
})

const suits = (
  definitions: readonly CapabilityDefinition[],
  byCapabilities: boolean,
  image: GlanceImageInUse,
  { name, version, machine, architecture: wanted }: GlanceImageRequest,
): boolean => {
  if (image.name !== name || image.version !== version) return false
  const { capabilities } = retained(image)
  return byCapabilities
    ? areCompatible(definitions, machine, capabilities)
    : architectureOf(capabilities) === wanted
}

const architectureOf = (capabilities: CapabilityValues): string =>
  capabilities[architecture]?.[0] ?? defaultArchitecture

/** The Go extension's text. */
const said = (
  profile: OpenStackMachinesProfile,
  { name, version, architecture: wanted, machine }: GlanceImageRequest,
): string => {
  const what = hasCapabilities(profile)
    ? `capabilities ${printed(machine)}`
    : `architecture ${JSON.stringify(wanted)}`
  return `no machine image found for image ${JSON.stringify(name)} with version ${JSON.stringify(version)} and ${what}`
}

const whyNone = (
  { providerConfig }: OpenStackMachinesProfile,
  { name, version, region, machine }: GlanceImageRequest,
  offered: readonly GlanceImage[],
): string => {
  const named = (providerConfig?.machineImages ?? []).filter(image => image.name === name)
  if (named.length === 0) return 'the cloud profile has no images of this name'
  if (!named.flatMap(({ versions }) => versions).some(known => known.version === version))
    return 'the cloud profile has no image of this version'
  if (offered.length === 0) return `the cloud profile has no image of it in ${region}, and no image name`
  const those = offered.map(image => `${shownImage(image)} with ${printed(image.capabilities)}`).join(', ')
  return `the cloud profile has ${those}, but the machine has ${printed(machine)}`
}

/** One of the images of a version: its id in some regions, and its name in all others. */
interface GlanceFlavor {
  readonly capabilities: CapabilityValues
  readonly regions: readonly { readonly name: string; readonly id: string }[]
  readonly image: string
}

/** Returns all flavors that a CloudProfile has for a name and an exactly equal version, from all matching entries. */
const flavorsOf = (
  { providerConfig }: OpenStackMachinesProfile,
  { name, version }: Pick<GlanceImageRequest, 'name' | 'version'>,
): readonly GlanceFlavor[] =>
  (providerConfig?.machineImages ?? [])
    .filter(image => image.name === name)
    .flatMap(({ versions }) => versions.filter(known => known.version === version))
    .flatMap(flavorsOfVersion)

/**
 * A version with flavors; or an older one, which has a flavor for each architecture of its regions, or one for amd64 if
 * it has only a name.
 */
const flavorsOfVersion = ({
  regions,
  capabilityFlavors,
  image,
}: GlanceImageVersion): readonly GlanceFlavor[] => {
  if (capabilityFlavors.length > 0)
    return capabilityFlavors.map(({ capabilities = {}, ...flavor }) => ({ ...flavor, capabilities }))
  const byArchitecture = Map.groupBy(regions, region => region.architecture ?? defaultArchitecture)
  if (byArchitecture.size === 0 && image !== '') byArchitecture.set(defaultArchitecture, [])
  return [...byArchitecture].map(([value, those]) => ({
    capabilities: ofArchitecture(value),
    regions: those,
    image,
  }))
}

/** The last entry of a region takes effect. Its id overrides the name. */
const inRegion = (flavors: readonly GlanceFlavor[], region: string): readonly GlanceImage[] =>
  flavors.flatMap(({ capabilities, regions, image }) => {
    const here = regions.findLast(({ name }) => name === region)
    return here === undefined && image === '' ? [] : [{ id: here?.id ?? '', name: image, capabilities }]
  })

export interface PoolGlanceImage {
  readonly name: string
  readonly version: string
  readonly image: GlanceImage
}

/**
 * Returns `machineImages` of `status.providerStatus`: each image in use once, in the order of the pools, with its
 * architecture, or with its capabilities if the CloudProfile defines any.
 *
 * @param definitions the capabilities of the CloudProfile; undefined if it has none
 */
export const statusImagesOf = (
  images: readonly PoolGlanceImage[],
  definitions: readonly CapabilityDefinition[] | undefined,
): readonly Readonly<Record<string, unknown>>[] => {
  const isSame = (one: PoolGlanceImage, other: PoolGlanceImage): boolean =>
    one.name === other.name &&
    one.version === other.version &&
    (definitions === undefined
      ? architectureOf(one.image.capabilities) === architectureOf(other.image.capabilities)
      : areEqual(definitions, one.image.capabilities, other.image.capabilities))
  return images
    .filter((image, index) => images.findIndex(other => isSame(other, image)) === index)
    .map(({ name, version, image }) => ({
      name,
      version,
      ...(image.id === '' ? { image: image.name } : { id: image.id }),
      ...(definitions === undefined
        ? { architecture: architectureOf(image.capabilities) }
        : { capabilities: image.capabilities }),
    }))
}
