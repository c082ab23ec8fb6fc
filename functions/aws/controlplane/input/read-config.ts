import {
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { usersProblem, withProblem } from './control-plane-problem.ts'

/** The config of a user, with defaults applied. */
export interface ControlPlaneConfig {
  readonly featureGates: Readonly<Record<string, boolean>>
  readonly useCustomRouteController: boolean
  readonly loadBalancerController: { readonly enabled: boolean; readonly ingressClassName: string }
  /** True if the storage and snapshot classes `default` are the shoot's default classes. */
  readonly managedDefaultClass: boolean
}

/** Reads `spec.providerConfig`. Throws a `CodedError`. @param object `namespace/name` */
export const readConfig = (providerConfig: unknown, object: string): ControlPlaneConfig => {
  const { cloudControllerManager, loadBalancerController, storage } =
    providerConfig === undefined || providerConfig === null
      ? {}
      : withProblem(`could not decode providerConfig of controlplane '${object}'`, usersProblem, () =>
          decodeStrictly(controlPlaneConfigSchema, providerConfig),
        )
  return {
    featureGates: cloudControllerManager?.featureGates ?? {},
    useCustomRouteController: cloudControllerManager?.useCustomRouteController ?? false,
    loadBalancerController: {
      enabled: loadBalancerController?.enabled ?? false,
      ingressClassName: loadBalancerController?.ingressClassName ?? 'alb',
    },
    managedDefaultClass: storage?.managedDefaultClass ?? true,
  }
}
