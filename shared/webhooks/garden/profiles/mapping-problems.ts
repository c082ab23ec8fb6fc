import { type CapabilityValues, printed } from '../../../contract/machine-capabilities.ts'
import { type Problem, problemsInEach } from '../../../decode/problems.ts'
import { type ProfileSpec, type SpecVersion, versionsOf } from '../profile.ts'
import {
  architectureIn,
  architecturesOf,
  byRegion,
  distinctFlavors,
  flavorsIn,
  isByArchitecture,
  isOneOf,
  type Mapping,
  mappingsOf,
} from './mapping.ts'
import type { ConfigImage, ImageWords } from './provider-images.ts'

/** A provider's name for its images, and true if a version without regions has an image in every region. */
export interface MappedImages {
  readonly words: ImageWords
  readonly hasNamedImages?: boolean
}

/**
 * Returns a problem for each image of `spec.machineImages` without an image of the provider in the config
 * (docs/contract/admission.md#cloudprofile). Paths begin at the object.
 */
export const mappingProblems = (
  { images, definitions }: ProfileSpec,
  config: readonly ConfigImage[],
  { words, hasNamedImages = false }: MappedImages,
): readonly Problem[] => {
  const mappings = mappingsOf(config)
  const missing = (path: string, what: string): Problem => ({
    path,
    message: `expected ${what} in spec.providerConfig, found none`,
    kind: 'required',
  })
  return images.flatMap(({ name, versions }, index) => {
    const path = `spec.machineImages[${index}]`
    if (!mappings.hasImage(name)) return [missing(path, `${words.several} of the image ${name}`)]
    return versions.flatMap((version, position) => {
      const place = `${path}.versions[${position}]`
      const image = `${name}@${version.version}`
      const mapping = mappings.find(name, version.version)
      if (mapping === undefined) return [missing(place, `${words.several} of ${image}`)]
      if (definitions.length > 0)
        return unmappedFlavors(version, mapping, definitions).map(([flavor, at]) =>
          missing(`${place}.capabilityFlavors[${at}]`, `${words.one} of ${image} with ${printed(flavor)}`),
        )
      const mapped = new Set(mapping.regions.map(architectureIn))
      return version.architectures
        .filter(architecture => !mapped.has(architecture) && !(hasNamedImages && mapped.size === 0))
        .map(architecture => missing(place, `${words.one} of ${image} for ${architecture}`))
    })
  })
}

/** Returns the flavors of a version without an image, each with its index. */
const unmappedFlavors = (
  { flavors }: SpecVersion,
  mapping: Mapping,
  definitions: ProfileSpec['definitions'],
): readonly (readonly [CapabilityValues, number])[] => {
  const isOfFlavor = isOneOf(flavorsIn(mapping), definitions)
  const architectures = new Set(mapping.regions.map(architectureIn))
  const isMapped = isByArchitecture(mapping)
    ? (flavor: CapabilityValues) =>
        architecturesOf(flavor, definitions).every(architecture => architectures.has(architecture))
    : isOfFlavor
  return flavors.flatMap((flavor, index) => (isMapped(flavor) ? [] : [[flavor, index] as const]))
}

const place = 'spec.providerConfig.machineImages'

/**
 * Returns the mismatches between the images of a NamespacedCloudProfile, those of the provider and those of the parent
 * (docs/contract/admission.md#namespacedcloudprofile). Paths begin at the object.
 */
export const namespacedMappingProblems = (
  own: ProfileSpec,
  config: readonly ConfigImage[],
  parent: ProfileSpec,
  { words }: MappedImages,
): readonly Problem[] => {
  const mappings = mappingsOf(config)
  const known: KnownVersions = {
    inParent: versionsOf(parent.images),
    own: versionsOf(own.images),
    ownImages: new Set(own.images.map(({ name }) => name)),
  }
  return [
    ...problemsInEach(own.images, ({ name, versions }) =>
      problemsInEach(versions, version => {
        // For a version of the parent, only the expiration can be set here. Its images come from the parent.
        if (known.inParent(name, version.version) !== undefined) return []
        // Gardener's own validation refuses a repeated version. Comparing each repetition with every region would take
        // long.
        if (known.own(name, version.version) !== version) return []
        const mapping = mappings.find(name, version.version)
        const image = `${name}@${version.version}`
        if (mapping === undefined) return [absent(`${words.several} of ${image}`)]
        if (parent.definitions.length > 0 && isByArchitecture(mapping))
          return flavorlessProblems(words, image, version, mapping, parent.definitions)
        const judge = regionJudge(words, version, parent.definitions)
        const regions = [...byRegion(mapping)]
        return regions.length === 0
          ? judge(image, mapping)
          : problemsInEach(regions, ([region, there]) => judge(`${image} in ${region}`, there))
      }),
    ),
    ...problemsInEach(config, (image, index) =>
      redefinitionProblems(words, image, `${place}[${index}]`, known),
    ),
  ]
}

/** The versions of the parent and of the profile itself. */
interface KnownVersions {
  readonly inParent: ReturnType<typeof versionsOf>
  readonly own: ReturnType<typeof versionsOf>
  readonly ownImages: ReadonlySet<string>
}

/** Returns a function that compares the flavors of a version with the images of a region. Called once per version. */
const regionJudge = (
  words: ImageWords,
  { architectures, flavors }: SpecVersion,
  definitions: ProfileSpec['definitions'],
): ((where: string, mapping: Mapping) => readonly Problem[]) => {
  if (definitions.length === 0) return (where, mapping) => differences(words, where, architectures, mapping)
  const isWanted = isOneOf(flavors, definitions)
  const wanted = distinctFlavors(flavors, definitions)
  return (where, mapping) => {
    const mapped = flavorsIn(mapping)
    const isMapped = isOneOf(mapped, definitions)
    return [
      ...mapped
        .filter(flavor => !isWanted(flavor))
        .map(flavor => excess(words, `${where} with ${printed(flavor)}`)),
      ...wanted
        .filter(flavor => !isMapped(flavor))
        .map(flavor => absent(`${words.one} of ${where} with ${printed(flavor)}`)),
    ]
  }
}

/** Compares only the architectures, over all regions together. For a version with flavors and images by architecture. */
const flavorlessProblems = (
  words: ImageWords,
  image: string,
  { flavors }: SpecVersion,
  mapping: Mapping,
  definitions: ProfileSpec['definitions'],
): readonly Problem[] => {
  const wanted = (flavors.length > 0 ? flavors : [{}]).flatMap(flavor => architecturesOf(flavor, definitions))
  return differences(words, image, wanted, mapping)
}

/** Returns a problem for each architecture without an image and for each image of another architecture. */
const differences = (
  words: ImageWords,
  where: string,
  architectures: readonly string[],
  mapping: Mapping,
): readonly Problem[] => {
  const mapped = new Set(mapping.regions.map(architectureIn))
  const wanted = new Set(architectures)
  return [
    ...[...mapped]
      .toSorted()
      .filter(architecture => !wanted.has(architecture))
      .map(architecture => excess(words, `${where} for ${architecture}`)),
    ...[...wanted]
      .filter(architecture => !mapped.has(architecture))
      .map(architecture => absent(`${words.one} of ${where} for ${architecture}`)),
  ]
}

const redefinitionProblems = (
  words: ImageWords,
  { name, versions }: ConfigImage,
  path: string,
  known: KnownVersions,
): readonly Problem[] => {
  if (!known.ownImages.has(name)) {
    const message = `expected the image ${name} in spec.machineImages, too, found nothing`
    return [{ path, message, kind: 'required' }]
  }
  return problemsInEach(versions, ({ version }, index): readonly Problem[] => {
    const where = `${path}.versions[${index}]`
    if (known.inParent(name, version) !== undefined) {
      const message = `expected none of ${name}@${version}, because the parent CloudProfile defines its ${words.several}`
      return [{ path: where, message, kind: 'forbidden' }]
    }
    if (known.own(name, version) !== undefined) return []
    const message = `expected ${name}@${version} in spec.machineImages, too, found nothing`
    return [{ path: where, message, kind: 'required' }]
  })
}

const excess = ({ bare }: ImageWords, what: string): Problem => ({
  path: place,
  message: `expected no ${bare} of ${what}: spec.machineImages does not contain it`,
  kind: 'forbidden',
})

const absent = (what: string): Problem => ({
  path: place,
  message: `expected ${what}, found none`,
  kind: 'required',
})
