import * as z from 'zod'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import {
  areCompatible,
  type CapabilityDefinition,
  type CapabilityValues,
  capabilitiesOfMachine,
  definitionsOf,
  hasCapabilities,
  preferredOf,
} from '../../../shared/contract/machine-capabilities.ts'
import type { Cluster, WorkerPool } from '../../../shared/contract/objects.ts'
import { formatProblems, problemsOf } from '../../../shared/decode/problems.ts'
import { FieldError } from '../../../shared/worker/worker.ts'
import { configImages, readCloudProfileConfig } from '../provider/local.ts'

/** An image in use, for a container that acts as a machine. `capabilities`: only if the CloudProfile defines any. */
export interface MachineImage {
  readonly name: string
  readonly version: string
  readonly image: string
  readonly capabilities?: CapabilityValues
}

const capabilities = z.record(z.string(), z.array(z.string())).nullish()
const profileSchema = z.looseObject({
  machineCapabilities: z.array(z.looseObject({ name: z.string(), values: z.array(z.string()) })).nullish(),
  machineTypes: z.array(z.looseObject({ name: z.string(), capabilities })).nullish(),
  providerConfig: z.unknown(),
})

export interface LocalProfile {
  readonly name: string
  readonly hasCapabilities: boolean
  readonly definitions: readonly CapabilityDefinition[]
  readonly types: ReadonlyMap<string, CapabilityValues>
  readonly config: ReturnType<typeof readCloudProfileConfig>
}

/** Throws a `CodedError` if the CloudProfile cannot be read. */
export const readProfile = ({ spec: { cloudProfile } }: Cluster): LocalProfile => {
  const { data, error } = profileSchema.safeParse(cloudProfile.spec ?? {})
  if (error !== undefined) {
    const problems = formatProblems(problemsOf(error.issues.slice(0, 5), cloudProfile.spec))
    throw configurationProblem(`cannot use spec.cloudProfile.spec of the Cluster: ${problems}`)
  }
  return {
    name: cloudProfile.metadata?.name ?? '',
    hasCapabilities: hasCapabilities(data),
    definitions: definitionsOf(data),
    types: new Map((data.machineTypes ?? []).map(type => [type.name, type.capabilities ?? {}])),
    config: readCloudProfileConfig(data.providerConfig),
  }
}

/**
 * Returns the image of a pool: from the CloudProfile, or one in use that the CloudProfile no longer has. Throws a
 * `FieldError` if the machine type or image does not exist.
 */
export const findImage = (
  profile: LocalProfile,
  imagesInUse: readonly MachineImage[],
  { machineType, machineImage, architecture }: WorkerPool,
): MachineImage => {
  const ofType = profile.types.get(machineType)
  if (ofType === undefined)
    throw new FieldError(
      `machine type ${JSON.stringify(machineType)} not found in cloud profile ${JSON.stringify(profile.name)}`,
      { field: 'machineType', wayOut: 'Choose one of its spec.machineTypes' },
    )
  const { name = '', version = '' } = machineImage ?? {}
  const machine = capabilitiesOfMachine(profile.definitions, ofType, architecture)
  const fits = ({ capabilities = {} }: Pick<MachineImage, 'capabilities'>) =>
    areCompatible(profile.definitions, machine, capabilities)
  const [offer] = preferredOf(profile.definitions, configImages(profile.config, name, version).filter(fits))
  if (offer !== undefined)
    return {
      name,
      version,
      image: offer.image,
      ...(profile.hasCapabilities && { capabilities: offer.capabilities }),
    }
  const kept = imagesInUse.find(image => image.name === name && image.version === version && fits(image))
  if (kept !== undefined) return kept
  throw new FieldError(
    `could not find machine image ${JSON.stringify(name)} of version ${JSON.stringify(version)} for machine type ${JSON.stringify(machineType)}, neither in cloud profile ${JSON.stringify(profile.name)} nor in the worker status`,
    { field: 'machineImage', wayOut: 'Choose one of its providerConfig.machineImages' },
  )
}
