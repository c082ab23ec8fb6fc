import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import type { Deployment } from './deployment.ts'
import { monitoringObjects } from './monitoring/monitoring.ts'
import { bridgeObjects } from './objects/bridge-objects.ts'
import { brokerObjects } from './objects/broker-objects.ts'
import { compactObjects } from './objects/compact-objects.ts'
import { type Explained, explained } from './objects/explained.ts'
import { functionObjects } from './objects/function-objects.ts'
import { imageVectorObjects } from './objects/image-vector.ts'
import { namespaceObjects } from './objects/namespace-objects.ts'
import { networkPolicies } from './objects/network-policies.ts'
import { webhookObjects } from './objects/webhook-objects.ts'

/** Objects that belong together: one file in a folder of manifests. */
export interface DeployedPart {
  /** `bridge.yaml`, or `functions/` and the name of a function. */
  readonly file: string
  readonly objects: readonly Explained[]
}

/**
 * Returns all parts of an installation in an order that can be applied without errors: an account and its permissions
 * before its pods, a Service before its Trigger, the Broker before its senders, and the bridge last.
 */
export const deployedParts = (deployment: Deployment): readonly DeployedPart[] => {
  const { asking, running } = webhookObjects(deployment, 'seed')
  return [
    { file: 'namespace.yaml', objects: namespaceObjects(deployment) },
    { file: 'network-policies.yaml', objects: networkPolicies(deployment) },
    { file: 'broker.yaml', objects: deployment.mode === 'knative' ? brokerObjects(deployment) : [] },
    { file: 'image-vector.yaml', objects: imageVectorObjects(deployment) },
    ...functionParts(deployment),
    { file: 'webhook.yaml', objects: withAccess(running, asking) },
    { file: 'bridge.yaml', objects: bridgeObjects(deployment) },
    { file: 'monitoring.yaml', objects: monitoringObjects(deployment) },
  ].filter(({ objects }) => objects.length > 0)
}

const functionParts = (deployment: Deployment): readonly DeployedPart[] => {
  const { functions, compact, mode } = deployment
  if (mode === 'seed-process') return []
  const shared = new Set(compact.flatMap(program => program.functions.map(({ name }) => name)))
  return [
    ...functions
      .filter(({ name }) => !shared.has(name))
      .map(definition => ({
        file: `functions/${definition.name}.yaml`,
        objects: functionObjects(deployment, definition),
      })),
    ...compact.map(program => ({
      file: `functions/${program.name}.yaml`,
      objects: compactObjects(deployment, program),
    })),
  ]
}

/** Returns the objects of `deployedParts` in the order of application. */
export const deployedObjects = (deployment: Deployment): readonly KubernetesObject[] =>
  deployedParts(deployment).flatMap(({ objects }) => objects.map(({ object }) => object))

/** Returns the admission of a garden, for two clusters. */
export const admissionParts = (deployment: Deployment): readonly DeployedPart[] => {
  const { asking, running } = webhookObjects(deployment, 'garden')
  return [
    {
      file: 'virtual-garden.yaml',
      objects: [...asking, ...deployment.gardenObjects.map(object => explained(object))],
    },
    { file: 'runtime.yaml', objects: running },
  ].filter(({ objects }) => objects.length > 0)
}

/** Inserts the permissions of an account after the account. */
const withAccess = (
  [account, ...others]: readonly Explained[],
  access: readonly Explained[],
): readonly Explained[] => (account === undefined ? [] : [account, ...access, ...others])
