import { type Deployment, deployedObjects, deploymentOf } from '../../knative/knative.ts'
import { type ApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readyObject } from './ready-object.ts'

/**
 * The objects of an installation that no process of a sandbox creates: broker and bridge run there without their
 * objects.
 */
const plurals: Readonly<Record<string, string>> = {
  'eventing.knative.dev/v1 Broker': 'brokers.eventing.knative.dev',
  'eventing.knative.dev/v1 Trigger': 'triggers.eventing.knative.dev',
  'serving.knative.dev/v1 Service': 'services.serving.knative.dev',
  'sources.knative.dev/v1 SinkBinding': 'sinkbindings.sources.knative.dev',
  'apps/v1 Deployment': 'deployments.apps',
}

export const sandboxInstallation = (
  functions: Deployment['functions'],
  libraryVersion: string,
): readonly KubernetesObject[] =>
  deployedObjects(
    deploymentOf({
      libraryVersion,
      functions,
      extensions: [],
      image: program => `sandbox.invalid/trellis/${program}:sandbox`,
      bridge: {
        ...deploymentOf().bridge,
        replicas: 1,
        env: [{ name: 'TRELLIS_LEADER_ELECTION', value: 'false' }],
      },
    }),
  ).filter(({ apiVersion, kind }) => Object.hasOwn(plurals, `${apiVersion} ${kind}`))

/** Writes healthy statuses into the installation's objects, as their controllers would. */
export const showAsReady = (server: ApiServer, installation: readonly KubernetesObject[]): void => {
  for (const object of installation) {
    const collection = server.store.collection(plurals[`${object.apiVersion} ${object.kind}`] ?? '')
    const key = storeKey(object.metadata.namespace, object.metadata.name)
    const stored = collection.get(key)?.object
    if (stored !== undefined) collection.put(key, readyObject(stored))
  }
}
