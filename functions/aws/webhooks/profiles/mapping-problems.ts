import type { Problem } from '../../../../shared/decode/problems.ts'
import { type CapabilityValues, printed } from '../../worker/machines/machines.ts'
import type { ConfigImage } from './image-problems.ts'
import {
  architectureIn,
  architecturesOf,
  flavorsIn,
  isByArchitecture,
  isOneOf,
  type Mapping,
  mappingsOf,
} from './mapping.ts'
import type { ProfileSpec, SpecVersion } from './spec-images.ts'

/**
 * Returns a problem for each image of `spec.machineImages` without an AMI in the config
 * (docs/contract/admission.md#cloudprofile). Paths begin at the object.
 */
export const mappingProblems = (
  { images, definitions }: ProfileSpec,
  config: readonly ConfigImage[],
): readonly Problem[] => {
  const mappings = mappingsOf(config)
  return images.flatMap(({ name, versions }, index) => {
    const path = `spec.machineImages[${index}]`
    if (!mappings.hasImage(name)) return [missing(path, `AMIs of the image ${name}`)]
    return versions.flatMap((version, position) => {
      const place = `${path}.versions[${position}]`
      const image = `${name}@${version.version}`
      const mapping = mappings.find(name, version.version)
      if (mapping === undefined) return [missing(place, `AMIs of ${image}`)]
      return definitions.length === 0
        ? architectureProblems(place, image, version, mapping)
        : flavorProblems(place, image, version, mapping, definitions)
    })
  })
}

const architectureProblems = (
  path: string,
  image: string,
  { architectures }: SpecVersion,
  { regions }: Mapping,
): readonly Problem[] => {
  const mapped = new Set(regions.map(architectureIn))
  return architectures
    .filter(architecture => !mapped.has(architecture))
    .map(architecture => missing(path, `an AMI of ${image} for ${architecture}`))
}

const flavorProblems = (
  path: string,
  image: string,
  { flavors }: SpecVersion,
  mapping: Mapping,
  definitions: ProfileSpec['definitions'],
): readonly Problem[] => {
  const isOfFlavor = isOneOf(flavorsIn(mapping), definitions)
  const architectures = new Set(mapping.regions.map(architectureIn))
  const isMapped = isByArchitecture(mapping)
    ? (flavor: CapabilityValues) =>
        architecturesOf(flavor, definitions).every(architecture => architectures.has(architecture))
    : isOfFlavor
  return flavors.flatMap((flavor, index) =>
    isMapped(flavor)
      ? []
      : [missing(`${path}.capabilityFlavors[${index}]`, `an AMI of ${image} with ${printed(flavor)}`)],
  )
}

const missing = (path: string, what: string): Problem => ({
  path,
  message: `expected ${what} in spec.providerConfig, found none`,
  kind: 'required',
})
