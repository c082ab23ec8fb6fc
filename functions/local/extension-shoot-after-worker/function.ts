import type { V1Deployment } from '@kubernetes/client-node'
import { isHibernationEnabled } from '../../../shared/contract/cluster-facts.ts'
import type { Extension } from '../../../shared/contract/objects.ts'
import { extensionFlow, extensionPermissions } from '../../../shared/extension/extension.ts'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'

const name = 'local-ext-shoot-after-worker'
const labels = { 'app.kubernetes.io/name': name }

/**
 * Extensions of type `local-ext-shoot-after-worker` (docs/contract/provider-local.md#extensions): a pod in the shoot,
 * which needs a node. gardenlet limits the wait for it. A hibernated shoot has no node to wait for.
 */
const extensionActuator = (): Actuator<Extension> =>
  extensionFlow({
    resource: {
      name,
      key: 'data.yaml.br',
      secretPrefix: 'managedresource-',
      keepObjects: false,
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
    },
    objects: () => [deployment],
    healthyWithinMs: ({ cluster }) =>
      cluster !== undefined && isHibernationEnabled(cluster) ? undefined : Number.POSITIVE_INFINITY,
  })

const deployment: Rendered<V1Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'kube-system', labels },
  spec: {
    replicas: 1,
    revisionHistoryLimit: 2,
    selector: { matchLabels: labels },
    strategy: {},
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name,
            image: 'europe-docker.pkg.dev/gardener-project/releases/3rd/alpine:3.19.1',
            command: ['/bin/sh', '-c', 'sleep 3600'],
            resources: {},
          },
        ],
        terminationGracePeriodSeconds: 0,
      },
    },
  },
}

/** Extensions of type `local-ext-shoot-after-worker`: a pod in a shoot that needs nodes. */
export const definition = defineFunction({
  name: 'local-extension-shoot-after-worker',
  kind: 'Extension',
  type: 'local-ext-shoot-after-worker',
  resyncMs: 60 * 60_000,
  registration: { lifecycle: { reconcile: 'AfterWorker' } },
  permissions: extensionPermissions,
  create: extensionActuator,
})
