import * as z from 'zod'
import { configurationProblem } from '../../../../../shared/contract/errors.ts'
import { formatProblems, problemsOf } from '../../../../../shared/decode/problems.ts'
import { list, optional, text } from '../../../../../terraform-free-infra/openstack/account/config/config.ts'

/** Schemas for values of the API server, where null means absent. */
const capabilities = optional(z.record(z.string(), z.array(z.string())))
const regions = list(z.object({ name: text, id: text, architecture: optional(z.string()) }))
const image = text

const version = z.object({
  version: text,
  image,
  regions,
  capabilityFlavors: list(z.object({ capabilities, regions, image })),
})
/** The images of a version in `CloudProfileConfig`. */
export type GlanceImageVersion = z.output<typeof version>

/** The fields that Workers read from the `spec` of a CloudProfile. All other fields may have any form. */
const machinesProfileSchema = z.object({
  machineCapabilities: list(z.object({ name: z.string(), values: z.array(z.string()) })),
  machineTypes: list(
    z.object({
      name: text,
      capabilities,
      storage: optional(
        z.object({ type: text, size: optional(z.union([z.string(), z.number()]).transform(String)) }),
      ),
    }),
  ),
  providerConfig: optional(
    z.object({ machineImages: list(z.object({ name: text, versions: list(version) })) }),
  ),
})
export type OpenStackMachinesProfile = z.output<typeof machinesProfileSchema>
export type MachineTypeInProfile = OpenStackMachinesProfile['machineTypes'][number]

/** Throws a `CodedError` for fields with another form. */
export const readMachinesProfile = (cloudProfile: unknown, name: string): OpenStackMachinesProfile => {
  const { data, error } = machinesProfileSchema.safeParse(cloudProfile ?? {})
  if (error === undefined) return data
  throw configurationProblem(
    `could not decode cloud profile ${JSON.stringify(name)}: ${formatProblems(problemsOf(error.issues, cloudProfile))} (spec.cloudProfile.spec of the Cluster). Correct the cloud profile`,
    error,
  )
}
