import * as z from 'zod'
import { featureGateProblems } from '../../../../shared/contract/feature-gates.ts'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { formats, formProblems } from '../formats.ts'
import { head, optional } from './fields.ts'

const flag = (absent: boolean) =>
  z
    .boolean()
    .nullish()
    .transform(value => value ?? absent)

const section = <S extends z.ZodRawShape>(shape: S) => z.strictObject(shape).nullish()

/**
 * The provider's `ControlPlaneConfig`, which users write into `spec.provider.controlPlaneConfig` of a shoot
 * (docs/contract/control-plane.md#controlplaneconfig). Unknown fields are refused, as in Gardener's own extension.
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

/**
 * Returns the problems of a config in a shoot of a Kubernetes minor version (33 for 1.33). Paths are relative to the
 * config.
 */
export const controlPlaneConfigProblems = (
  {
    cloudControllerManager,
    loadBalancerController,
  }: Pick<z.output<typeof controlPlaneConfigSchema>, 'cloudControllerManager' | 'loadBalancerController'>,
  minor: number,
): readonly Problem[] => [
  ...featureGateProblems(
    ['cloudControllerManager', 'featureGates'],
    cloudControllerManager?.featureGates,
    minor,
  ),
  ...formProblems(
    'loadBalancerController.ingressClassName',
    loadBalancerController?.ingressClassName,
    formats.ingressClass,
  ),
]
