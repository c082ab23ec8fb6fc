import * as z from 'zod'

/** Schemas for values of the API server, where null means absent. */
const texts = z.array(z.string()).nullish()
const capabilities = z.record(z.string(), z.array(z.string())).nullish()

const version = z.object({
  version: z.string(),
  classification: z.string().nullish(),
  expirationDate: z.string().nullish(),
  lifecycle: z.array(z.object({ classification: z.string(), startTime: z.string().nullish() })).nullish(),
  architectures: texts,
  capabilityFlavors: z.array(z.record(z.string(), z.array(z.string()))).nullish(),
})
/** A version of a machine image, in `spec.machineImages` of a CloudProfile. */
export type ImageVersion = z.infer<typeof version>

const machineType = z.object({
  name: z.string(),
  cpu: z.union([z.string(), z.number()]),
  usable: z.boolean().nullish(),
  architecture: z.string().nullish(),
  capabilities,
})
export type MachineType = z.infer<typeof machineType>

/** The fields of a CloudProfile's `spec` that the choice of a machine needs. All other fields may have any form. */
export const cloudProfileSchema = z.object({
  bastion: z
    .object({
      machineType: z.object({ name: z.string() }).nullish(),
      machineImage: z.object({ name: z.string(), version: z.string().nullish() }).nullish(),
    })
    .nullish(),
  machineCapabilities: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).nullish(),
  machineTypes: z.array(machineType).nullish(),
  machineImages: z.array(z.object({ name: z.string(), versions: z.array(version).nullish() })).nullish(),
})
export type CloudProfileSpec = z.infer<typeof cloudProfileSchema>
