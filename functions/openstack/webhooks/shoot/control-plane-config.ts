import { featureGateProblems } from '../../../../shared/contract/feature-gates.ts'
import { type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import {
  type ConfigPlace,
  decodeBy,
  minorOf,
  type ShootSpec,
} from '../../../../shared/webhooks/garden/garden.ts'
import {
  type ControlPlaneConfig,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import type { InfrastructureConfig } from '../../../../terraform-free-infra/openstack/infrastructure/rules.ts'
import { classProblems } from '../load-balancers/class-problems.ts'

/** The ControlPlaneConfig in a Shoot. */
export const controlPlaneConfig: ConfigPlace<ControlPlaneConfig> = {
  at: 'spec.provider.controlPlaneConfig',
  kind: 'ControlPlaneConfig',
  decode: decodeBy(value => decodeStrictly(controlPlaneConfigSchema, value)),
}

/** Returns the problems of a config in its Shoot (docs/contract/provider-openstack.md#admission). */
export const controlPlaneProblems = (
  { loadBalancerProvider, loadBalancerClasses, cloudControllerManager, storage }: ControlPlaneConfig,
  { networks }: InfrastructureConfig,
  { kubernetes }: ShootSpec,
): readonly Problem[] => [
  ...when(loadBalancerProvider === '', {
    path: 'loadBalancerProvider',
    message: 'expected the name of a provider of load balancers, found nothing',
    kind: 'required' as const,
  }),
  ...classProblems('loadBalancerClasses', loadBalancerClasses),
  ...problemsInEach(loadBalancerClasses, ({ purpose }, index) =>
    when(purpose === 'vpn', {
      path: `loadBalancerClasses[${index}]`,
      message: 'expected another purpose: only a CloudProfile may have a class for the purpose vpn',
    }),
  ),
  ...featureGateProblems(
    ['cloudControllerManager', 'featureGates'],
    cloudControllerManager?.featureGates,
    minorOf(kubernetes?.version),
  ),
  ...when(storage?.csiManila?.enabled && !networks.shareNetwork?.enabled, {
    path: 'storage.csiManila.enabled',
    message: 'expected networks.shareNetwork.enabled: true in the InfrastructureConfig, too',
  }),
]
