import {
  areEqual,
  type CapabilityDefinition,
  type CapabilityValues,
} from '../../../../terraform-free-infra/aws/machines/machines.ts'
import type { ConfigImage, ConfigVersion } from './image-problems.ts'

/** All that a config says of a version of an image, however often it has it; undefined: it does not have it. */
export interface Mapping {
  readonly regions: ConfigVersion['regions']
  readonly flavors: ConfigVersion['capabilityFlavors']
}

export const hasImage = (images: readonly ConfigImage[], name: string): boolean =>
  images.some(image => image.name === name)

export const findMapping = (
  images: readonly ConfigImage[],
  name: string,
  version: string,
): Mapping | undefined => {
  const found = images
    .filter(image => image.name === name)
    .flatMap(({ versions }) => versions)
    .filter(known => known.version === version)
  if (found.length === 0) return undefined
  return {
    regions: found.flatMap(({ regions }) => regions),
    flavors: found.flatMap(({ capabilityFlavors }) => capabilityFlavors),
  }
}

/** A region entry that says no architecture is for amd64. */
export const architectureIn = ({ architecture }: { readonly architecture?: string | undefined }): string =>
  architecture ?? 'amd64'

/** Which machines the AMIs of a mapping are for: a flavor each, or one for each architecture, sorted. */
export const flavorsIn = ({ regions, flavors }: Mapping): readonly CapabilityValues[] =>
  flavors.length > 0
    ? flavors.map(({ capabilities }) => capabilities ?? {})
    : [...new Set(regions.map(architectureIn))]
        .toSorted()
        .map(architecture => ({ architecture: [architecture] }))

/** Regions in which a mapping has an AMI. */
export const regionsIn = ({ regions, flavors }: Mapping): readonly string[] => [
  ...new Set([...regions, ...flavors.flatMap(flavor => flavor.regions)].map(({ name }) => name)),
]

/** What a mapping has in one region. */
export const mappingIn = ({ regions, flavors }: Mapping, region: string): Mapping => ({
  regions: regions.filter(({ name }) => name === region),
  flavors: flavors.filter(flavor => flavor.regions.some(({ name }) => name === region)),
})

export const hasFlavor = (
  flavors: readonly CapabilityValues[],
  wanted: CapabilityValues,
  definitions: readonly CapabilityDefinition[],
): boolean => flavors.some(flavor => areEqual(definitions, flavor, wanted))
