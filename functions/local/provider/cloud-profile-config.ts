import * as z from 'zod'
import { CodedError } from '../../../shared/contract/errors.ts'
import { formatProblems, problemsOf } from '../../../shared/contract/problems.ts'

const capabilities = z.record(z.string(), z.array(z.string()))

/** `spec.providerConfig` of a CloudProfile, as far as it is read (docs/contract/provider-local.md#cloudprofileconfig). */
const cloudProfileConfigSchema = z.looseObject({
  machineImages: z
    .array(
      z.looseObject({
        name: z.string(),
        versions: z
          .array(
            z.looseObject({
              version: z.string(),
              image: z.string().nullish(),
              capabilityFlavors: z
                .array(z.looseObject({ image: z.string(), capabilities: capabilities.nullish() }))
                .nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
  loadBalancer: z.looseObject({ image: z.string().nullish() }).nullish(),
})
export type LocalCloudProfileConfig = z.infer<typeof cloudProfileConfigSchema>

/**
 * Reads the `providerConfig` of a CloudProfile; of none, what it would be empty.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` that names the fields that are wrong.
 */
export const readCloudProfileConfig = (value: unknown): LocalCloudProfileConfig => {
  const { data, error } = cloudProfileConfigSchema.safeParse(value ?? {})
  if (data !== undefined) return data
  const problems = problemsOf(error.issues.slice(0, 5), value)
  throw new CodedError(
    `spec.cloudProfile.spec.providerConfig of the Cluster cannot be used: ${formatProblems(problems)}`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}

/** An image of a container that stands for a machine. */
export interface ImageOffer {
  readonly image: string
  /** Values by the names of capabilities; one that is not named stands for all its values. */
  readonly capabilities: Readonly<Record<string, readonly string[]>>
}

/** The images of a version of a machine image, in their order. */
export const configImages = (
  { machineImages }: LocalCloudProfileConfig,
  name: string,
  version: string,
): readonly ImageOffer[] =>
  (machineImages ?? [])
    .filter(one => one.name === name)
    .flatMap(({ versions }) => (versions ?? []).filter(one => one.version === version))
    .flatMap(({ image, capabilityFlavors }) => [
      ...(image ? [{ image, capabilities: {} }] : []),
      ...(capabilityFlavors ?? []).map(flavor => ({
        image: flavor.image,
        capabilities: flavor.capabilities ?? {},
      })),
    ])
