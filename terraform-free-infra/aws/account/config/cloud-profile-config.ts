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
 * `CloudProfileConfig` of the provider, which operators write as `spec.providerConfig` of a CloudProfile or a
 * NamespacedCloudProfile: which AMI is which version of an image where (docs/contract/admission.md#cloudprofile).
 */
export const cloudProfileConfigSchema = z.strictObject({
  ...head('CloudProfileConfig'),
  machineImages: list(z.strictObject({ name: text, versions: list(version) })),
})
export type CloudProfileConfig = Readonly<z.output<typeof cloudProfileConfigSchema>>
