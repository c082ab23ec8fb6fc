import * as z from 'zod'
import { loadBalancerClassSchema } from './cloud-profile-config.ts'
import { head, list, optional, text } from './fields.ts'

/**
 * The provider's `ControlPlaneConfig`, which users write into `spec.provider.controlPlaneConfig` of a shoot
 * (docs/contract/provider-openstack.md#controlplane).
 */
export const controlPlaneConfigSchema = z.strictObject({
  ...head('ControlPlaneConfig'),
  loadBalancerProvider: text,
  loadBalancerClasses: list(loadBalancerClassSchema),
  /** Without effect. */
  zone: optional(z.string()),
  cloudControllerManager: optional(
    z.strictObject({ featureGates: optional(z.record(z.string(), z.boolean())) }),
  ),
  storage: optional(
    z.strictObject({ csiManila: optional(z.strictObject({ enabled: optional(z.boolean()) })) }),
  ),
})
export type ControlPlaneConfig = Readonly<z.output<typeof controlPlaneConfigSchema>>
