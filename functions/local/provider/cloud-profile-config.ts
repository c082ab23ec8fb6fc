import * as z from 'zod'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import { formatProblems, problemsOf } from '../../../shared/decode/problems.ts'

const capabilities = z.record(z.string(), z.array(z.string()))

/**
 * The fields that are read from `spec.providerConfig` of a CloudProfile
 * (docs/contract/provider-local.md#cloudprofileconfig).
 */
export const localCloudProfileConfigSchema = z.looseObject({
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
export type LocalCloudProfileConfig = z.infer<typeof localCloudProfileConfigSchema>

/**
 * Reads the `providerConfig` of a CloudProfile. An absent one counts as empty.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` that names the invalid fields.
 */
export const readCloudProfileConfig = (value: unknown): LocalCloudProfileConfig => {
  const { data, error } = localCloudProfileConfigSchema.safeParse(value ?? {})
  if (data !== undefined) return data
  const problems = problemsOf(error.issues.slice(0, 5), value)
  throw configurationProblem(
    `cannot use spec.cloudProfile.spec.providerConfig of the Cluster: ${formatProblems(problems)}`,
  )
}

/** A container image that is used as a machine image. */
export interface ImageOffer {
  readonly image: string
  /** Values by capability name. An absent capability has all its values. */
  readonly capabilities: Readonly<Record<string, readonly string[]>>
}

/** Returns the images of a machine image version, in order. */
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
