import {
  type CapabilityValues,
  defaultArchitecture,
  ofArchitecture,
} from '../../../../../shared/contract/machine-capabilities.ts'
import {
  type ChosenImage,
  chooseImage,
  matchingVersions,
  type NamedImage,
  type WantedImage,
} from '../../../../../shared/worker/machine-images.ts'
import type { GlanceImageVersion, OpenStackMachinesProfile } from '../config/machines-profile.ts'
import type { GlanceImageInUse } from '../config/worker-status.ts'

/** An image in one region: its id, or, if that is empty, its name in all regions. */
export interface GlanceImage {
  readonly id: string
  readonly name: string
  readonly capabilities: CapabilityValues
}

/**
 * Returns the image of a pool (docs/contract/workers-openstack.md#images): from the CloudProfile, or the one that the
 * Worker already uses if the CloudProfile no longer has it.
 *
 * @param imagesInUse `machineImages` of `status.providerStatus`
 */
export const findImage = (
  profile: OpenStackMachinesProfile,
  imagesInUse: readonly GlanceImageInUse[],
  wanted: WantedImage,
): ChosenImage<GlanceImage> =>
  chooseImage({
    profile,
    wanted,
    offered: inRegion(flavorsOf(profile, wanted), wanted.region),
    whyNone: () => whyNone(profile, wanted),
    shownAs: ({ id, name }) => id || name,
    inUse: () => imagesInUse.map(retained),
  })

/** Converts an image of a status. Without capabilities, it is for its architecture, by default amd64. */
export const retained = (inUse: GlanceImageInUse): NamedImage<GlanceImage> => {
  const { id, image, capabilities, architecture } = inUse
  const own = capabilities ?? ofArchitecture(architecture || defaultArchitecture)
  return { name: inUse.name, version: inUse.version, image: { id, name: image, capabilities: own } }
}

const whyNone = (
  { providerConfig }: OpenStackMachinesProfile,
  { name, version, region }: WantedImage,
): string => {
  const named = (providerConfig?.machineImages ?? []).filter(image => image.name === name)
  if (named.length === 0) return 'the cloud profile has no images of this name'
  return named.flatMap(({ versions }) => versions).some(known => known.version === version)
    ? `the cloud profile has no image of it in ${region}, and no image name`
    : 'the cloud profile has no image of this version'
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
  image: Pick<WantedImage, 'name' | 'version'>,
): readonly GlanceFlavor[] => matchingVersions(providerConfig?.machineImages, image).flatMap(flavorsOfVersion)

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
