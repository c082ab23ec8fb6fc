import {
  type CapabilityDefinition,
  type CapabilityValues,
  capabilitiesKey,
  printed,
} from '../../../../shared/contract/machine-capabilities.ts'
import { formatPath, type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import {
  capabilityProblems,
  type ProfileSpec,
  type SpecVersion,
  versionsOf,
} from '../../../../shared/webhooks/garden/garden.ts'
import type { LocalImages, LocalImageVersion } from './profile-config.ts'

const place = 'spec.providerConfig.machineImages'

/**
 * Returns the problems of the images of a CloudProfileConfig (docs/contract/provider-local.md#admission). Paths begin
 * at the object.
 *
 * @param definitions the capabilities of the profile. Empty: each version has one image
 */
export const imageProblems = (
  images: LocalImages,
  definitions: readonly CapabilityDefinition[],
): readonly Problem[] =>
  problemsInEach(images, ({ name, versions }, index) => [
    ...filled(`${place}[${index}].name`, name, 'the name of an image'),
    ...when(
      versions.length === 0,
      missing(`${place}[${index}].versions`, 'at least one version of the image'),
    ),
    ...problemsInEach(versions, (version, position) => {
      const path = `${place}[${index}].versions[${position}]`
      return [
        ...filled(`${path}.version`, version.version, 'a version'),
        ...(definitions.length === 0
          ? plainProblems(path, version)
          : flavorProblems(path, version, definitions)),
      ]
    }),
  ])

const plainProblems = (path: string, { image, capabilityFlavors }: LocalImageVersion): readonly Problem[] => [
  ...filled(`${path}.image`, image, 'a container image'),
  ...when(capabilityFlavors.length > 0, {
    path: `${path}.capabilityFlavors`,
    message: 'expected none because the profile has no machineCapabilities. Use image',
    kind: 'forbidden' as const,
  }),
]

const flavorProblems = (
  path: string,
  { image, capabilityFlavors }: LocalImageVersion,
  definitions: readonly CapabilityDefinition[],
): readonly Problem[] => [
  ...when(image !== '', {
    path: `${path}.image`,
    message: 'expected none because the profile has machineCapabilities. Use capabilityFlavors[].image',
    kind: 'forbidden' as const,
  }),
  ...problemsInEach(capabilityFlavors, (flavor, index) => {
    const at = `${path}.capabilityFlavors[${index}]`
    return [
      ...filled(`${at}.image`, flavor.image, 'a container image'),
      ...problemsInEach(Object.entries(flavor.capabilities ?? {}), ([name, values]) =>
        capabilityProblems(`${at}.${formatPath(['capabilities', name])}`, values, name, definitions),
      ),
    ]
  }),
]

/** Returns a problem for each image of `spec.machineImages` without a container image in the config. */
export const mappingProblems = (spec: ProfileSpec, images: LocalImages): readonly Problem[] => {
  const find = finderOf(images)
  const names = new Set(images.map(({ name }) => name))
  return problemsInEach(spec.images, ({ name, versions }, index) => {
    const path = `spec.machineImages[${index}]`
    if (versions.length === 0) return []
    if (!names.has(name)) return [unmapped(path, `an entry for the image ${name}`)]
    if (spec.definitions.length === 0) return []
    return problemsInEach(versions, (version, position) =>
      versionProblems(
        `${path}.versions[${position}]`,
        name,
        version,
        find(name, version.version),
        spec.definitions,
      ),
    )
  })
}

const versionProblems = (
  path: string,
  name: string,
  { version, flavors }: SpecVersion,
  mapped: LocalImageVersion | undefined,
  definitions: readonly CapabilityDefinition[],
): readonly Problem[] => {
  if (mapped === undefined) return [unmapped(path, `an entry for ${name}@${version}`)]
  const keys = new Set(
    mapped.capabilityFlavors.map(({ capabilities }) => capabilitiesKey(definitions, capabilities ?? {})),
  )
  const wanted: readonly CapabilityValues[] = flavors.length > 0 ? flavors : [{}]
  return problemsInEach(wanted, (flavor, index) =>
    when(
      !keys.has(capabilitiesKey(definitions, flavor)),
      unmapped(
        `${path}.capabilityFlavors[${index}]`,
        `an image of ${name}@${version} with ${printed(flavor)}`,
      ),
    ),
  )
}

/**
 * Returns the mismatches between the images of a NamespacedCloudProfile, their container images and the images of the
 * parent. Paths begin at the object.
 */
export const namespacedProblems = (
  own: ProfileSpec,
  images: LocalImages,
  parent: ProfileSpec,
): readonly Problem[] => {
  const find = finderOf(images)
  const inParent = versionsOf(parent.images)
  const inOwn = versionsOf(own.images)
  const names = new Set(own.images.map(({ name }) => name))
  return [
    ...problemsInEach(own.images, ({ name, versions }) =>
      problemsInEach(versions, ({ version }) =>
        when(
          inParent(name, version) === undefined && find(name, version) === undefined,
          missing(place, `an entry for ${name}@${version}`),
        ),
      ),
    ),
    ...problemsInEach(images, ({ name, versions }, index) => {
      const path = `${place}[${index}]`
      if (!names.has(name)) return [missing(path, `the image ${name} in spec.machineImages, too`)]
      return problemsInEach(versions, ({ version }, position): readonly Problem[] => {
        const at = `${path}.versions[${position}]`
        if (inParent(name, version) !== undefined)
          return [
            {
              path: at,
              message: `expected none of ${name}@${version}, because the parent CloudProfile defines its image`,
              kind: 'forbidden',
            },
          ]
        return when(
          inOwn(name, version) === undefined,
          missing(at, `${name}@${version} in spec.machineImages, too`),
        )
      })
    }),
  ]
}

/** Returns a lookup of entries. The last of repeated entries counts. */
const finderOf = (images: LocalImages) => {
  const found = new Map(
    images.flatMap(({ name, versions }) =>
      versions.map(version => [JSON.stringify([name, version.version]), version] as const),
    ),
  )
  return (name: string, version: string) => found.get(JSON.stringify([name, version]))
}

const filled = (path: string, value: string, what: string): readonly Problem[] =>
  when(value === '', missing(path, what))

const missing = (path: string, what: string): Problem => ({
  path,
  message: `expected ${what}, found nothing`,
  kind: 'required',
})

const unmapped = (path: string, what: string): Problem => ({
  path,
  message: `expected ${what} in spec.providerConfig, found none`,
  kind: 'required',
})
