import * as z from 'zod'

/** As the API server gives them: null is absent. */
const capabilities = z.record(z.string(), z.array(z.string())).nullish()
const name = z.string()

const region = z.object({ name, ami: z.string(), architecture: z.string().nullish() })

const version = z.object({
  version: z.string(),
  regions: z.array(region).nullish(),
  capabilityFlavors: z.array(z.object({ capabilities, regions: z.array(region).nullish() })).nullish(),
})
/** Which AMI a version of an image is where, in `CloudProfileConfig`. */
export type AmiVersion = z.infer<typeof version>

/** What Workers take of the `spec` of a CloudProfile; all else may have any form. */
export const cloudProfileSchema = z.object({
  machineCapabilities: z.array(z.object({ name, values: z.array(z.string()) })).nullish(),
  machineTypes: z.array(z.object({ name, capabilities })).nullish(),
  providerConfig: z
    .object({ machineImages: z.array(z.object({ name, versions: z.array(version).nullish() })).nullish() })
    .nullish(),
})
export type MachinesProfile = z.infer<typeof cloudProfileSchema>
