import type { Problem } from '../../../../shared/contract/problems.ts'
import { printed } from '../../../../terraform-free-infra/aws/machines/machines.ts'
import type { ConfigImage } from './image-problems.ts'
import {
  architectureIn,
  findMapping,
  flavorsIn,
  hasFlavor,
  type Mapping,
  mappingIn,
  regionsIn,
} from './mapping.ts'
import { findVersion, type ProfileSpec, type SpecVersion } from './spec-images.ts'

const place = 'spec.providerConfig.machineImages'

/**
 * Where the images of a NamespacedCloudProfile, their AMIs and the parent's images do not go together
 * (docs/contract/admission.md#namespacedcloudprofile); paths begin at the object.
 */
export const namespacedMappingProblems = (
  own: ProfileSpec,
  config: readonly ConfigImage[],
  parent: ProfileSpec,
): readonly Problem[] => [
  ...own.images.flatMap(({ name, versions }) =>
    versions.flatMap(version => {
      // Of a version of the parent only its expiration can be said here, and its AMIs are the parent's.
      if (findVersion(parent.images, name, version.version) !== undefined) return []
      const mapping = findMapping(config, name, version.version)
      const image = `${name}@${version.version}`
      return mapping === undefined
        ? [missing(`AMIs of ${image}`)]
        : regionsIn(mapping).flatMap(region =>
            regionProblems(`${image} in ${region}`, version, mappingIn(mapping, region), parent.definitions),
          )
    }),
  ),
  ...config.flatMap((image, index) => redefinitionProblems(image, `${place}[${index}]`, own, parent)),
]

const regionProblems = (
  where: string,
  { architectures, flavors }: SpecVersion,
  mapping: Mapping,
  definitions: ProfileSpec['definitions'],
): readonly Problem[] => {
  if (definitions.length === 0) {
    const mapped = [...new Set(mapping.regions.map(architectureIn))].toSorted()
    return [
      ...mapped
        .filter(architecture => !architectures.includes(architecture))
        .map(architecture => excess(`${where} for ${architecture}`)),
      ...architectures
        .filter(architecture => !mapped.includes(architecture))
        .map(architecture => missing(`an AMI of ${where} for ${architecture}`)),
    ]
  }
  const mapped = flavorsIn(mapping)
  return [
    ...mapped
      .filter(flavor => !hasFlavor(flavors, flavor, definitions))
      .map(flavor => excess(`${where} with ${printed(flavor)}`)),
    ...flavors
      .filter(flavor => !hasFlavor(mapped, flavor, definitions))
      .map(flavor => missing(`an AMI of ${where} with ${printed(flavor)}`)),
  ]
}

const redefinitionProblems = (
  { name, versions }: ConfigImage,
  path: string,
  own: ProfileSpec,
  parent: ProfileSpec,
): readonly Problem[] => {
  if (!own.images.some(image => image.name === name)) {
    const message = `expected the image ${name} in spec.machineImages, too, found nothing`
    return [{ path, message, kind: 'required' }]
  }
  return versions.flatMap(({ version }, index): readonly Problem[] => {
    const where = `${path}.versions[${index}]`
    if (findVersion(parent.images, name, version) !== undefined) {
      const message = `expected none of ${name}@${version}, whose AMIs are those of the parent CloudProfile`
      return [{ path: where, message, kind: 'forbidden' }]
    }
    if (findVersion(own.images, name, version) !== undefined) return []
    const message = `expected ${name}@${version} in spec.machineImages, too, found nothing`
    return [{ path: where, message, kind: 'required' }]
  })
}

const excess = (what: string): Problem => ({
  path: place,
  message: `expected no AMI of ${what}: spec.machineImages does not have that`,
  kind: 'forbidden',
})

const missing = (what: string): Problem => ({
  path: place,
  message: `expected ${what}, found none`,
  kind: 'required',
})
