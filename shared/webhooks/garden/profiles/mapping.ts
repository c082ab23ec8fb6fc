import {
  type CapabilityDefinition,
  type CapabilityValues,
  capabilitiesKey,
} from '../../../contract/machine-capabilities.ts'
import type { ConfigImage, ConfigVersion } from './provider-images.ts'

/** The merged entries of a config for one version of an image. Undefined if the config has no entry for it. */
export interface Mapping {
  readonly regions: ConfigVersion['regions']
  readonly flavors: ConfigVersion['capabilityFlavors']
}

/** The mappings of a config by image and version. Built once, because a profile may have thousands of versions. */
export interface Mappings {
  readonly hasImage: (name: string) => boolean
  readonly find: (name: string, version: string) => Mapping | undefined
}

export const mappingsOf = (images: readonly ConfigImage[]): Mappings => {
  const byImage = new Map(
    [...Map.groupBy(images, ({ name }) => name)].map(([name, same]) => [
      name,
      Map.groupBy(
        same.flatMap(({ versions }) => versions),
        ({ version }) => version,
      ),
    ]),
  )
  return {
    hasImage: name => byImage.has(name),
    find: (name, version) => {
      const found = byImage.get(name)?.get(version)
      return (
        found && {
          regions: found.flatMap(({ regions }) => regions),
          flavors: found.flatMap(({ capabilityFlavors }) => capabilityFlavors),
        }
      )
    },
  }
}

/** The architecture of a region entry. Default: amd64. */
export const architectureIn = ({ architecture }: { readonly architecture?: string | undefined }): string =>
  architecture ?? 'amd64'

/** Returns the machines that the images of a mapping support: one entry per flavor, or one per architecture, sorted. */
export const flavorsIn = ({ regions, flavors }: Mapping): readonly CapabilityValues[] =>
  flavors.length > 0
    ? flavors.map(({ capabilities }) => capabilities ?? {})
    : [...new Set(regions.map(architectureIn))]
        .toSorted()
        .map(architecture => ({ architecture: [architecture] }))

/** Returns true if a mapping names architectures in place of flavors. Then only architectures are compared. */
export const isByArchitecture = ({ regions, flavors }: Mapping): boolean =>
  flavors.length === 0 && regions.length > 0

/** The architectures of a flavor. A flavor without architectures supports all defined ones. */
export const architecturesOf = (
  flavor: CapabilityValues,
  definitions: readonly CapabilityDefinition[],
): readonly string[] =>
  capabilityIn(flavor, 'architecture') ??
  definitions.find(({ name }) => name === 'architecture')?.values ??
  []

const capabilityIn = (flavor: CapabilityValues, name: string): readonly string[] | undefined =>
  Object.hasOwn(flavor, name) ? flavor[name] : undefined

/** Returns the part of a mapping for each region in which it has an image. */
export const byRegion = ({ regions, flavors }: Mapping): ReadonlyMap<string, Mapping> => {
  const regionsIn = Map.groupBy(regions, ({ name }) => name)
  const flavorsIn = new Map<string, Set<Mapping['flavors'][number]>>()
  for (const flavor of flavors)
    for (const { name } of flavor.regions) flavorsIn.set(name, (flavorsIn.get(name) ?? new Set()).add(flavor))
  return new Map(
    [...new Set([...regionsIn.keys(), ...flavorsIn.keys()])].map(name => [
      name,
      { regions: regionsIn.get(name) ?? [], flavors: [...(flavorsIn.get(name) ?? [])] },
    ]),
  )
}

/** Returns the flavors without repeated capabilities. The first of equal flavors is retained. */
export const distinctFlavors = (
  flavors: readonly CapabilityValues[],
  definitions: readonly CapabilityDefinition[],
): readonly CapabilityValues[] =>
  [
    ...new Map(
      flavors.toReversed().map(flavor => [capabilitiesKey(definitions, flavor), flavor] as const),
    ).values(),
  ].toReversed()

/** Returns a function that reports if a flavor is one of these. Built once, because a version may have many. */
export const isOneOf = (
  flavors: readonly CapabilityValues[],
  definitions: readonly CapabilityDefinition[],
): ((flavor: CapabilityValues) => boolean) => {
  const keys = new Set(flavors.map(flavor => capabilitiesKey(definitions, flavor)))
  return flavor => keys.has(capabilitiesKey(definitions, flavor))
}
