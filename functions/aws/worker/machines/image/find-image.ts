import {
  type CapabilityDefinition,
  type CapabilityValues,
  defaultArchitecture,
  ofArchitecture,
} from '../../../../../shared/contract/machine-capabilities.ts'
import {
  type ChosenImage,
  chooseImage,
  matchingVersions,
  type NamedImage,
  statusImagesOf,
  type WantedImage,
} from '../../../../../shared/worker/machine-images.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import type { AmiVersion, MachinesProfile } from '../config/cloud-profile.ts'
import type { StatusImage } from '../config/worker-status.ts'

/**
 * Returns the AMI of a pool (docs/contract/workers-aws.md#images): from the CloudProfile, or the one that the Worker
 * already uses if the CloudProfile no longer has it.
 *
 * @param imagesInUse returns the images of `status.providerStatus`; called only if the CloudProfile has none; undefined
 *   if the Worker has none
 */
export const findImage = (
  profile: MachinesProfile,
  imagesInUse: () => readonly StatusImage[] | undefined,
  request: WantedImage,
): ChosenImage<RegionalImage> =>
  chooseImage({
    profile,
    wanted: request,
    offered: inRegion(flavorsOf(profile, request), request.region),
    whyNone: () => whyNone(profile, request),
    shownAs: ({ ami }) => ami,
    inUse: () => {
      const inUse = imagesInUse()
      return inUse && retainedImages(inUse)
    },
  })

/** Returns the capabilities of an image in use. Without any, it is for amd64. */
const capabilitiesOfStatus = (image: StatusImage): CapabilityValues =>
  image.capabilities ?? ofArchitecture(image.architecture || defaultArchitecture)

const whyNone = ({ providerConfig }: MachinesProfile, { name, version, region }: WantedImage): string => {
  const named = (providerConfig?.machineImages ?? []).filter(image => image.name === name)
  if (named.length === 0) return 'the cloud profile has no AMIs of an image with this name'
  const versions = named.flatMap(image => image.versions ?? [])
  return versions.some(known => known.version === version)
    ? `the cloud profile has no AMI of it in ${region}`
    : 'the cloud profile has no AMIs of this version of the image'
}

/** One of the machine images of a version, and its AMI in each region. */
export interface Flavor {
  readonly capabilities: CapabilityValues
  readonly regions: readonly { readonly name: string; readonly ami: string }[]
}

interface RegionalImage {
  readonly capabilities: CapabilityValues
  readonly ami: string
}

/** Returns all flavors that a CloudProfile has for a name and an exactly equal version, from all matching entries. */
const flavorsOf = (
  { providerConfig }: MachinesProfile,
  image: { readonly name: string; readonly version: string },
): readonly Flavor[] => matchingVersions(providerConfig?.machineImages, image).flatMap(flavorsOfVersion)

/** A version with flavors, or an older one without, which has one flavor for each architecture. */
const flavorsOfVersion = ({ regions, capabilityFlavors }: AmiVersion): readonly Flavor[] => {
  const flavors = capabilityFlavors ?? []
  if (flavors.length > 0)
    return flavors.map(flavor => ({
      capabilities: flavor.capabilities ?? {},
      regions: flavor.regions ?? [],
    }))
  const byArchitecture = Map.groupBy(regions ?? [], region => region.architecture ?? defaultArchitecture)
  return [...byArchitecture].map(([value, those]) => ({
    capabilities: ofArchitecture(value),
    regions: those,
  }))
}

/** The last entry of a region takes effect. */
const inRegion = (flavors: readonly Flavor[], region: string): readonly RegionalImage[] =>
  flavors.flatMap(({ capabilities, regions }) => {
    const here = regions.findLast(({ name }) => name === region)
    return here === undefined ? [] : [{ capabilities, ami: here.ami }]
  })

export type PoolImage = NamedImage<RegionalImage>

/** Returns `status.providerStatus` (docs/contract/workers-aws.md#workerstatus). */
export const workerStatusOf = (
  images: readonly PoolImage[],
  definitions: readonly CapabilityDefinition[] | undefined,
): Readonly<Record<string, unknown>> => {
  const machineImages = statusImagesOf(images, definitions, ({ ami }) => ({ ami }))
  return { apiVersion, kind: 'WorkerStatus', ...(machineImages.length > 0 && { machineImages }) }
}

/** Converts the images of a status to pool images, so that the status retains them. */
export const retainedImages = (images: readonly StatusImage[]): readonly PoolImage[] =>
  images.map(image => ({
    name: image.name,
    version: image.version,
    image: { ami: image.ami, capabilities: capabilitiesOfStatus(image) },
  }))
