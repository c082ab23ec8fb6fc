import * as z from 'zod'

/** Schemas for values of the API server, where null means absent. */
const capabilities = z.record(z.string(), z.array(z.string())).nullish()
const name = z.string()

const region = z.object({ name, ami: z.string(), architecture: z.string().nullish() })

const version = z.object({
  version: z.string(),
  regions: z.array(region).nullish(),
  capabilityFlavors: z.array(z.object({ capabilities, regions: z.array(region).nullish() })).nullish(),
})
/** The AMIs of an image version by region, in `CloudProfileConfig`. */
export type AmiVersion = z.infer<typeof version>

/** The fields that Workers read from the `spec` of a CloudProfile. All other fields may have any form. */
export const cloudProfileSchema = z.object({
  machineCapabilities: z.array(z.object({ name, values: z.array(z.string()) })).nullish(),
  machineTypes: z.array(z.object({ name, capabilities })).nullish(),
  providerConfig: z
    .object({ machineImages: z.array(z.object({ name, versions: z.array(version).nullish() })).nullish() })
    .nullish(),
})
export type MachinesProfile = z.infer<typeof cloudProfileSchema>
