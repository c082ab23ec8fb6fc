import type { ContainerRuntime } from '../../../shared/contract/objects.ts'
import { extensionFlow } from '../../../shared/extension/extension.ts'

/** Each pool has its own ManagedResource, so that deleting one pool does not affect another. */
export const nameOf = ({ spec }: ContainerRuntime) => `extension-runtime-acme-${spec.workerPool.name}`

/** A DaemonSet that installs the runtime on the nodes of the pool. */
export const containerRuntimeActuator = extensionFlow<ContainerRuntime>({
  resource: {
    name: nameOf,
    key: 'runtime.yaml',
    injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  },
  objects: ({ object: { spec } }) => {
    const labels = { app: `acme-runtime-${spec.workerPool.name}` }
    return [
      {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: labels.app, namespace: 'kube-system' },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              nodeSelector: { ...spec.workerPool.selector.matchLabels },
              volumes: [{ name: 'binaries', hostPath: { path: spec.binaryPath } }],
              // TODO: Use an image that copies the runtime's binaries to /binaries and configures containerd. Add
              // a RuntimeClass, which all pools share.
              containers: [
                {
                  name: 'install',
                  image: 'registry.example.com/acme-runtime:v1',
                  volumeMounts: [{ name: 'binaries', mountPath: '/binaries' }],
                },
              ],
            },
          },
        },
      },
    ]
  },
})
