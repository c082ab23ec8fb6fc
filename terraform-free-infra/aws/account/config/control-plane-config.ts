import * as z from 'zod'
import { featureGateProblem } from '../../../../shared/contract/feature-gates.ts'
import { formatPath, type Problem, problemsInEach } from '../../../../shared/contract/problems.ts'
import { formats, formProblems } from '../formats.ts'
import { head, optional } from './fields.ts'

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

/**
 * What is wrong with a config in a shoot of a minor version of Kubernetes (33 of 1.33); paths begin at the config.
 */
export const controlPlaneConfigProblems = (
  {
    cloudControllerManager,
    loadBalancerController,
  }: Pick<z.output<typeof controlPlaneConfigSchema>, 'cloudControllerManager' | 'loadBalancerController'>,
  minor: number,
): readonly Problem[] => [
  ...problemsInEach(Object.keys(cloudControllerManager?.featureGates ?? {}), gate => {
    const message = featureGateProblem(gate, minor)
    return message === undefined
      ? []
      : [{ path: `cloudControllerManager.${formatPath(['featureGates', gate])}`, message }]
  }),
  ...formProblems(
    'loadBalancerController.ingressClassName',
    loadBalancerController?.ingressClassName,
    formats.ingressClass,
  ),
]
