import { type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { type ProfileSpec, type SpecVersion, versionsOf } from '../../../../shared/webhooks/garden/garden.ts'
import { type CapabilityValues, printed } from '../../worker/machines/machines.ts'
import type { ConfigImage } from './image-problems.ts'
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

const place = 'spec.providerConfig.machineImages'

/**
 * Returns the mismatches between the images of a NamespacedCloudProfile, their AMIs and the images of the parent
 * (docs/contract/admission.md#namespacedcloudprofile). Paths begin at the object.
 */
export const namespacedMappingProblems = (
  own: ProfileSpec,
  config: readonly ConfigImage[],
  parent: ProfileSpec,
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
        // For a version of the parent, only the expiration can be set here. Its AMIs come from the parent.
        if (known.inParent(name, version.version) !== undefined) return []
        // Gardener's own validation refuses a repeated version. Comparing each repetition with every region would take
        // long.
        if (known.own(name, version.version) !== version) return []
        const mapping = mappings.find(name, version.version)
        const image = `${name}@${version.version}`
        if (mapping === undefined) return [absent(`AMIs of ${image}`)]
        if (parent.definitions.length > 0 && isByArchitecture(mapping))
          return flavorlessProblems(image, version, mapping, parent.definitions)
        const judge = regionJudge(version, parent.definitions)
        return problemsInEach([...byRegion(mapping)], ([region, there]) =>
          judge(`${image} in ${region}`, there),
        )
      }),
    ),
    ...problemsInEach(config, (image, index) => redefinitionProblems(image, `${place}[${index}]`, known)),
  ]
}

/** The versions of the parent and of the profile itself. */
interface KnownVersions {
  readonly inParent: ReturnType<typeof versionsOf>
  readonly own: ReturnType<typeof versionsOf>
  readonly ownImages: ReadonlySet<string>
}

/** Returns a function that compares the flavors of a version with the AMIs of a region. Called once per version. */
const regionJudge = (
  { architectures, flavors }: SpecVersion,
  definitions: ProfileSpec['definitions'],
): ((where: string, mapping: Mapping) => readonly Problem[]) => {
  if (definitions.length === 0) return (where, mapping) => differences(where, architectures, mapping)
  const isWanted = isOneOf(flavors, definitions)
  const wanted = distinctFlavors(flavors, definitions)
  return (where, mapping) => {
    const mapped = flavorsIn(mapping)
    const isMapped = isOneOf(mapped, definitions)
    return [
      ...mapped.filter(flavor => !isWanted(flavor)).map(flavor => excess(`${where} with ${printed(flavor)}`)),
      ...wanted
        .filter(flavor => !isMapped(flavor))
        .map(flavor => absent(`an AMI of ${where} with ${printed(flavor)}`)),
    ]
  }
}

/** Compares only the architectures, over all regions together. For a version with flavors and AMIs by architecture. */
const flavorlessProblems = (
  image: string,
  { flavors }: SpecVersion,
  mapping: Mapping,
  definitions: ProfileSpec['definitions'],
): readonly Problem[] => {
  const wanted = (flavors.length > 0 ? flavors : [{}]).flatMap(flavor => architecturesOf(flavor, definitions))
  return differences(image, wanted, mapping)
}

/** Returns a problem for each architecture without an AMI and for each AMI of another architecture. */
const differences = (
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
      .map(architecture => excess(`${where} for ${architecture}`)),
    ...[...wanted]
      .filter(architecture => !mapped.has(architecture))
      .map(architecture => absent(`an AMI of ${where} for ${architecture}`)),
  ]
}

const redefinitionProblems = (
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
      const message = `expected none of ${name}@${version}, because the parent CloudProfile defines its AMIs`
      return [{ path: where, message, kind: 'forbidden' }]
    }
    if (known.own(name, version) !== undefined) return []
    const message = `expected ${name}@${version} in spec.machineImages, too, found nothing`
    return [{ path: where, message, kind: 'required' }]
  })
}

const excess = (what: string): Problem => ({
  path: place,
  message: `expected no AMI of ${what}: spec.machineImages does not contain it`,
  kind: 'forbidden',
})

const absent = (what: string): Problem => ({
  path: place,
  message: `expected ${what}, found none`,
  kind: 'required',
})
