import {
  architecture,
  type CapabilityValues,
  defaultArchitecture,
  ofArchitecture,
} from '../../../../../shared/contract/machine-capabilities.ts'
import type { AmiVersion, MachinesProfile } from '../config/cloud-profile.ts'

/** One of the machine images behind a version, and where which AMI it is. */
export interface Flavor {
  readonly capabilities: CapabilityValues
  readonly regions: readonly { readonly name: string; readonly ami: string }[]
}

/** An image in one region. */
export interface RegionalImage {
  readonly capabilities: CapabilityValues
  readonly ami: string
}

/** What a CloudProfile has under the name and the very text of a version, however often it has it. */
export const flavorsOf = (
  { providerConfig }: MachinesProfile,
  image: { readonly name: string; readonly version: string },
): readonly Flavor[] =>
  (providerConfig?.machineImages ?? [])
    .filter(({ name }) => name === image.name)
    .flatMap(({ versions }) => (versions ?? []).filter(({ version }) => version === image.version))
    .flatMap(flavorsOfVersion)

/** A version with flavors; or one of before there were any, which is one flavor for each architecture. */
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

/** In a region the last entry counts. */
export const inRegion = (flavors: readonly Flavor[], region: string): readonly RegionalImage[] =>
  flavors.flatMap(({ capabilities, regions }) => {
    const here = regions.findLast(({ name }) => name === region)
    return here === undefined ? [] : [{ capabilities, ami: here.ami }]
  })

/** The architecture of an image, the first of several. */
export const architectureOf = ({ capabilities }: Pick<RegionalImage, 'capabilities'>): string =>
  capabilities[architecture]?.[0] ?? defaultArchitecture
