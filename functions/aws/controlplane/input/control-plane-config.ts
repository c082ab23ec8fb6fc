import * as z from 'zod'
import { head, optional } from '../../../../terraform-free-infra/aws/config/config.ts'

const flag = (absent: boolean) =>
  z
    .boolean()
    .nullish()
    .transform(value => value ?? absent)

const section = <S extends z.ZodRawShape>(shape: S) => z.strictObject(shape).nullish()

/**
 * `ControlPlaneConfig` of the provider, which users write as `spec.provider.controlPlaneConfig` of a shoot
 * (docs/contract/control-plane.md#controlplaneconfig). Unknown fields are refused, as Gardener's own extension does.
 */
export const controlPlaneConfigSchema = z.strictObject({
  ...head('ControlPlaneConfig'),
  cloudControllerManager: section({
    featureGates: z.record(z.string(), z.boolean()).nullish(),
    useCustomRouteController: flag(false),
  }),
  loadBalancerController: section({ enabled: flag(false), ingressClassName: optional(z.string()) }),
  storage: section({ managedDefaultClass: flag(true) }),
})
