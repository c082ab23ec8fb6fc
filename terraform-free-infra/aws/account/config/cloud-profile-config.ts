import * as z from 'zod'
import { head, list, optional, text } from './fields.ts'

const version = z.strictObject({
  version: text,
  regions: list(z.strictObject({ name: text, ami: text, architecture: optional(z.string()) })),
  capabilityFlavors: list(
    z.strictObject({
      capabilities: optional(z.record(z.string(), z.array(z.string()))),
      regions: list(z.strictObject({ name: text, ami: text, architecture: optional(z.string()) })),
    }),
  ),
})

/**
 * The provider's `CloudProfileConfig`, which operators write into `spec.providerConfig` of a CloudProfile or a
 * NamespacedCloudProfile. It maps image versions to AMIs by region (docs/contract/admission.md#cloudprofile).
 */
export const cloudProfileConfigSchema = z.strictObject({
  ...head('CloudProfileConfig'),
  machineImages: list(z.strictObject({ name: text, versions: list(version) })),
})
export type CloudProfileConfig = Readonly<z.output<typeof cloudProfileConfigSchema>>
