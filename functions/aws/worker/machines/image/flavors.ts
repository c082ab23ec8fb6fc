import {
  architecture,
  type CapabilityValues,
  defaultArchitecture,
  ofArchitecture,
} from '../../../../../shared/contract/machine-capabilities.ts'
import type { AmiVersion, MachinesProfile } from '../config/cloud-profile.ts'

/** One of the machine images of a version, and its AMI in each region. */
export interface Flavor {
  readonly capabilities: CapabilityValues
  readonly regions: readonly { readonly name: string; readonly ami: string }[]
}

/** An image in one region. */
export interface RegionalImage {
  readonly capabilities: CapabilityValues
  readonly ami: string
}

/** Returns all flavors that a CloudProfile has for a name and an exactly equal version, from all matching entries. */
export const flavorsOf = (
  { providerConfig }: MachinesProfile,
  image: { readonly name: string; readonly version: string },
): readonly Flavor[] =>
  (providerConfig?.machineImages ?? [])
    .filter(({ name }) => name === image.name)
    .flatMap(({ versions }) => (versions ?? []).filter(({ version }) => version === image.version))
    .flatMap(flavorsOfVersion)

/** A version with flavors, or an older one without, which has one flavor for each architecture. */
const flavorsOfVersion = ({ regions, capabilityFlavors }: AmiVersion): readonly Flavor[] => {
  const flavors = capabilityFlavors ?? []
  if (flavors.length > 0) {
    return flavors.map(flavor => ({
      capabilities: flavor.capabilities ?? {},
      regions: flavor.regions ?? [],
    }))
  }
  const byArchitecture = Map.groupBy(regions ?? [], region => region.architecture ?? defaultArchitecture)
  return [...byArchitecture].map(([value, those]) => ({
    capabilities: ofArchitecture(value),
    regions: those,
  }))
}

/** The last entry of a region takes effect. */
export const inRegion = (flavors: readonly Flavor[], region: string): readonly RegionalImage[] =>
  flavors.flatMap(({ capabilities, regions }) => {
    const here = regions.findLast(({ name }) => name === region)
    return here === undefined ? [] : [{ capabilities, ami: here.ami }]
  })

/** Returns the architecture of an image; the first of several. */
export const architectureOf = ({ capabilities }: Pick<RegionalImage, 'capabilities'>): string =>
  capabilities[architecture]?.[0] ?? defaultArchitecture
