import { formatPath, type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { capabilityProblems } from '../../../../shared/webhooks/garden/garden.ts'
import type { CloudProfileConfig } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import type { CapabilityDefinition } from '../../worker/machines/machines.ts'

export type ConfigImage = CloudProfileConfig['machineImages'][number]
export type ConfigVersion = ConfigImage['versions'][number]
type ConfigRegion = ConfigVersion['regions'][number]

const knownArchitectures = ['amd64', 'arm64']

/**
 * Returns the problems of the images within a CloudProfileConfig (docs/contract/admission.md#cloudprofile). Paths begin
 * at the config.
 *
 * @param definitions the capabilities of the profile; if empty, machines differ only in their architecture
 */
export const configImageProblems = (
  { machineImages }: CloudProfileConfig,
  definitions: readonly CapabilityDefinition[],
): readonly Problem[] =>
  problemsInEach(machineImages, ({ name, versions }, index) => {
    const path = `machineImages[${index}]`
    return [
      ...filled(`${path}.name`, name, 'the name of an image'),
      ...(versions.length === 0 ? [missing(`${path}.versions`, 'at least one version of the image')] : []),
      ...problemsInEach(versions, (version, position) => [
        ...filled(`${path}.versions[${position}].version`, version.version, 'a version'),
        ...contentProblems(`${path}.versions[${position}]`, version, definitions),
      ]),
    ]
  })

const contentProblems = (
  path: string,
  { regions, capabilityFlavors }: ConfigVersion,
  definitions: readonly CapabilityDefinition[],
): readonly Problem[] => {
  if (capabilityFlavors.length === 0)
    return regions.length === 0
      ? [missing(`${path}.regions`, 'the AMI of at least one region')]
      : regionProblems(`${path}.regions`, regions)
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
        ...(flavor.regions.length === 0
          ? [missing(`${place}.regions`, 'the AMI of at least one region')]
          : regionProblems(`${place}.regions`, flavor.regions)),
      ]
    }),
  ]
}

const regionProblems = (path: string, regions: readonly ConfigRegion[]): readonly Problem[] =>
  problemsInEach(regions, ({ name, ami, architecture }, index) => [
    ...filled(`${path}[${index}].name`, name, 'the name of a region'),
    ...filled(`${path}[${index}].ami`, ami, 'the id of an AMI'),
    ...when(architecture !== undefined && !knownArchitectures.includes(architecture), {
      path: `${path}[${index}].architecture`,
      message: `expected one of ${knownArchitectures.join(', ')}`,
      kind: 'unsupported' as const,
    }),
  ])

const filled = (path: string, value: string, what: string): readonly Problem[] =>
  value === '' ? [missing(path, what)] : []

const missing = (path: string, what: string): Problem => ({
  path,
  message: `expected ${what}, found nothing`,
  kind: 'required',
})
