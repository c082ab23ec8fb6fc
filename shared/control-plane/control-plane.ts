/**
 * The provider-independent part of a ControlPlane: ManagedResources for the seed and the shoot, certificates, and
 * tokens for the shoot's API server. A provider defines their objects (`ControlPlaneProvider`); the flow is the
 * actuator.
 */

import type { ControlPlane } from '../contract/objects.ts'
import { deployments, secrets } from '../kubernetes/core-resources.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import type { Actuator } from '../lifecycle/lifecycle.ts'
import { rememberingComparison, resourcePermissions } from '../resources/resources.ts'
import { type CreateKeyPair, keyPairQueue } from '../secrets-manager/secrets-manager.ts'
import type { OpenShoot } from './clean-up/clean-up-shoot.ts'
import { openShoot as openByKubeconfig } from './clean-up/open-shoot.ts'
import { reconcileControlPlane } from './flow/reconcile.ts'
import { controlPlaneOrphans, removeControlPlane } from './flow/remove.ts'
import type { ControlPlaneProvider } from './provider.ts'

export { cipherSuites } from './cipher-suites.ts'
export type { OpenedShoot, OpenShoot } from './clean-up/clean-up-shoot.ts'
export type { ControlPlaneAction, ControlPlanePlan } from './preview/control-plane-plan.ts'
export { planControlPlane } from './preview/plan-control-plane.ts'
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

// For providers that create objects.

export { checksum, type ManagedResourceName, managedResource } from './objects/managed-resource.ts'

// For the webhook process, which passes on the configurations of shoots.

export {
  pathKeyBytes,
  pathKeyIn,
  readShootWebhooks,
  type ShootWebhooks,
  shootWebhooksData,
  shootWebhooksName,
  shootWebhooksResource,
} from './shoot-webhooks.ts'

/** Dependencies of the flow that tests replace. */
export interface ControlPlaneFlowOptions {
  /** Connects to the shoot for its clean-up. Default: with the kubeconfig in its namespace. */
  readonly openShoot?: OpenShoot
  /** Default: RSA with 3072 bits, off the main thread, a few at a time. */
  readonly createKeyPair?: CreateKeyPair
}

/**
 * The complete actuator of a ControlPlane. Restore is reconcile: gardenlet has moved the CA, which is found by name.
 *
 * @example
 * const actuator = controlPlaneFlow({
 *   secretsIdentity: 'provider-box-controlplane',
 *   secrets: () => [],
 *   shootAccess: ['box-controller'],
 *   desired: ({ controlPlane: { metadata } }) => ({
 *     prerequisites: [],
 *     resources: () => [
 *       {
 *         name: resourceNames.seed,
 *         namespace: metadata.namespace ?? '',
 *         class: 'seed',
 *         key: 'controllers.yaml',
 *         objects: [deployment],
 *       },
 *     ],
 *   }),
 * })
 */
export const controlPlaneFlow = (
  provider: ControlPlaneProvider,
  { openShoot = openByKubeconfig, createKeyPair = keyPairQueue() }: ControlPlaneFlowOptions = {},
): Required<Pick<Actuator<ControlPlane>, 'reconcile' | 'remove' | 'forceRemove' | 'orphans' | 'migrate'>> => {
  const compare = rememberingComparison()
  return {
    reconcile: step => reconcileControlPlane(provider, { openShoot, createKeyPair, compare }, step),
    remove: step => removeControlPlane(provider, step, 'delete'),
    forceRemove: step => removeControlPlane(provider, step, 'force'),
    orphans: controlPlaneOrphans,
    migrate: step => removeControlPlane(provider, step, 'migrate'),
  }
}

/** Permissions of the ControlPlane flow in the API server, for the definition of a function. */
export const controlPlanePermissions: readonly (Permission & { readonly why: string })[] = [
  ...resourcePermissions.filter(({ resource }) => resource.plural !== secrets.plural),
  {
    resource: secrets,
    verbs: ['list', 'create', 'patch', 'delete'],
    why: 'Certificates of the components, tokens for the shoot, and manifests of applied objects.',
  },
  {
    resource: deployments,
    verbs: ['get'],
    why: 'Checks that the API server of a hibernating shoot is down.',
  },
]

/**
 * Returns the Knative Service settings of a function for ControlPlanes, for its definition.
 *
 * @param keys the number of RSA keys that a new control plane needs, in words
 */
export const controlPlaneService = (keys: string) => ({
  reaches: ['shoots' as const],
  maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
  concurrency: {
    value: 20,
    why: `A new control plane needs ${keys} RSA keys, which threads of the process generate.`,
  },
})
