import type { CapabilityDefinition } from '../../../contract/machine-capabilities.ts'
import { formatPath, type Problem, problemsInEach } from '../../../decode/problems.ts'
import { valueAt } from '../../../decode/record-of.ts'
import { when } from '../../../lists/when.ts'
import { capabilityProblems } from '../capability-problems.ts'
import type { ConfigVersion, ImagesConfig, ProviderImages } from './provider-images.ts'

const knownArchitectures = ['amd64', 'arm64']

/** The facts of a provider that the checks of its images need. */
export type CheckedImageFacts = Pick<
  ProviderImages<ImagesConfig>,
  'words' | 'idField' | 'hasNamedImages' | 'isArchitectureOfFlavor'
>

/**
 * Returns the problems of the images within a CloudProfileConfig (docs/contract/admission.md#cloudprofile). Paths begin
 * at the config.
 *
 * @param definitions the capabilities of the profile; if empty, machines differ only in their architecture
 */
export const configImageProblems = (
  { machineImages }: ImagesConfig,
  definitions: readonly CapabilityDefinition[],
  facts: CheckedImageFacts,
): readonly Problem[] =>
  problemsInEach(machineImages, ({ name, versions }, index) => {
    const path = `machineImages[${index}]`
    return [
      ...filled(`${path}.name`, name, 'the name of an image'),
      ...(versions.length === 0 ? [missing(`${path}.versions`, 'at least one version of the image')] : []),
      ...problemsInEach(versions, (version, position) => [
        ...filled(`${path}.versions[${position}].version`, version.version, 'a version'),
        ...contentProblems(`${path}.versions[${position}]`, version, definitions, facts),
      ]),
    ]
  })

const contentProblems = (
  path: string,
  { regions, capabilityFlavors }: ConfigVersion,
  definitions: readonly CapabilityDefinition[],
  facts: CheckedImageFacts,
): readonly Problem[] => {
  if (capabilityFlavors.length === 0) return regionProblems(`${path}.regions`, regions, facts)
  if (definitions.length === 0) {
    const message =
      'expected none because the profile has no machineCapabilities. Use regions, each with an architecture'
    return [{ path: `${path}.capabilityFlavors`, message, kind: 'forbidden' }]
  }
  return [
    ...when(regions.length > 0, {
      path: `${path}.regions`,
      message: 'expected none beside capabilityFlavors, which have their own regions',
      kind: 'forbidden' as const,
    }),
    ...problemsInEach(capabilityFlavors, (flavor, index) => {
      const place = `${path}.capabilityFlavors[${index}]`
      return [
        ...problemsInEach(Object.entries(flavor.capabilities ?? {}), ([name, values]) =>
          capabilityProblems(`${place}.${formatPath(['capabilities', name])}`, values, name, definitions),
        ),
        ...regionProblems(`${place}.regions`, flavor.regions, facts),
        ...(facts.isArchitectureOfFlavor ? flavorArchitectureProblems(place, flavor.regions) : []),
      ]
    }),
  ]
}

const regionProblems = (
  path: string,
  regions: ConfigVersion['regions'],
  { words, idField, hasNamedImages = false }: CheckedImageFacts,
): readonly Problem[] => [
  ...(regions.length === 0 && !hasNamedImages
    ? [missing(path, `the ${words.bare} of at least one region`)]
    : []),
  ...problemsInEach(regions, (region, index) => [
    ...filled(`${path}[${index}].name`, region.name, 'the name of a region'),
    ...filled(`${path}[${index}].${idField}`, valueAt(region, idField), `the id of ${words.one}`),
    ...when(region.architecture !== undefined && !knownArchitectures.includes(region.architecture), {
      path: `${path}[${index}].architecture`,
      message: `expected one of ${knownArchitectures.join(', ')}`,
      kind: 'unsupported' as const,
    }),
  ]),
]

const flavorArchitectureProblems = (path: string, regions: ConfigVersion['regions']): readonly Problem[] =>
  problemsInEach(regions, ({ architecture }, index) =>
    when(architecture !== undefined, {
      path: `${path}.regions[${index}].architecture`,
      message: 'expected none. Set architecture in the capabilities of the flavor',
      kind: 'forbidden' as const,
    }),
  )

const filled = (path: string, value: unknown, what: string): readonly Problem[] =>
  value === '' ? [missing(path, what)] : []

const missing = (path: string, what: string): Problem => ({
  path,
  message: `expected ${what}, found nothing`,
  kind: 'required',
})
