/**
 * What a ControlPlane is with every provider: ManagedResources for the seed and the shoot, certificates, and tokens for the
 * shoot's API server. A provider says which objects they hold (`ControlPlaneProvider`); the flow is the actuator.
 */

import type { ControlPlane } from '../contract/objects.ts'
import type { Actuator } from '../lifecycle/lifecycle.ts'
import { rememberingComparison } from '../resources/resources.ts'
import { type CreateKeyPair, keyPairQueue } from '../secrets-manager/secrets-manager.ts'
import type { OpenShoot } from './clean-up/clean-up-shoot.ts'
import { openShoot as openByKubeconfig } from './clean-up/open-shoot.ts'
import { reconcileControlPlane } from './flow/reconcile.ts'
import { removeControlPlane } from './flow/remove.ts'
import type { ControlPlaneProvider } from './provider.ts'

export type { OpenedShoot, OpenShoot } from './clean-up/clean-up-shoot.ts'
export { controlPlanePermissions } from './permissions.ts'
export type { ControlPlaneAction, ControlPlanePlan } from './plan/control-plane-plan.ts'
export { type ControlPlanePlanInput, planControlPlane } from './plan/plan-control-plane.ts'
export { unknownAfter } from './plan/unknown-after.ts'
export type {
  ControlPlaneFacts,
  ControlPlaneProvider,
  DesiredControlPlane,
  RenderingInput,
  ShootCleanUp,
  ShootKubernetes,
  UsableSecrets,
} from './provider.ts'
export { type ResourceName, resourceNames } from './resource-names.ts'

// For the process of the webhooks, which hands over what shoots are told.

export {
  pathKeyBytes,
  pathKeyIn,
  readShootWebhooks,
  type ShootWebhooks,
  shootWebhooksData,
  shootWebhooksName,
  shootWebhooksResource,
} from './shoot-webhooks.ts'

export interface ControlPlaneFlowOptions {
  /** How the shoot itself is reached, for its clean-up. Absent: by the kubeconfig in its namespace. */
  readonly openShoot?: OpenShoot
  /** RSA of 3072 bits, made beside the main thread, a few at once. */
  readonly createKeyPair?: CreateKeyPair
}

/**
 * The actuator of a ControlPlane, all of it. Restoring is what reconciling is: gardenlet has brought the CA along, which is
 * found by its name.
 *
 * @example
 * const actuator = controlPlaneFlow({
 *   secretsIdentity: 'provider-box-controlplane',
 *   secrets: () => [],
 *   shootAccess: ['box-controller'],
 *   desired: ({ controlPlane }) => ({ prerequisites: [], resources: () => [controllersOf(controlPlane)] }),
 * })
 */
export const controlPlaneFlow = (
  provider: ControlPlaneProvider,
  { openShoot = openByKubeconfig, createKeyPair = keyPairQueue() }: ControlPlaneFlowOptions = {},
): Required<Pick<Actuator<ControlPlane>, 'reconcile' | 'remove' | 'forceRemove' | 'migrate'>> => {
  const compare = rememberingComparison()
  return {
    reconcile: step => reconcileControlPlane(provider, { openShoot, createKeyPair, compare }, step),
    remove: step => removeControlPlane(provider, step, 'delete'),
    forceRemove: step => removeControlPlane(provider, step, 'force'),
    migrate: step => removeControlPlane(provider, step, 'migrate'),
  }
}
