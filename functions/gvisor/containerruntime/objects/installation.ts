import { createHash } from 'node:crypto'
import type { V1ConfigMap, V1DaemonSet } from '@kubernetes/client-node'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { systemNamespace } from '../../../../shared/manifests/manifests.ts'
import type { RuntimePool } from '../config/read-pool.ts'
import { installScript } from './install-script.ts'
import { runtimeName } from './shared-objects.ts'

const scriptName = 'install-gvisor-containerd.sh'
/** The same for all pools: the selector of a DaemonSet is immutable. */
const podLabels = { 'app.kubernetes.io/name': 'containerd-gvisor' }

export interface Installation {
  readonly pool: RuntimePool
  readonly configLines: readonly string[]
  readonly image: string
}

/** The objects of a pool with gVisor: a pod on each node that installs it and remains there. */
export const installationObjects = ({
  pool,
  configLines,
  image,
}: Installation): readonly KubernetesObject[] => {
  const name = `containerd-gvisor-${pool.name}`
  const script = installScript({ binaryPath: pool.binaryPath, configLines })
  const configMap: Rendered<V1ConfigMap> = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: systemNamespace },
    data: { [scriptName]: script },
  }
  const daemonSet: Rendered<V1DaemonSet> = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name,
      namespace: systemNamespace,
      labels: { ...podLabels, 'helm.sh/chart': 'containerd-gvisor' },
    },
    spec: {
      selector: { matchLabels: podLabels },
      template: {
        metadata: {
          // The name of the annotation is that of the Go extension, without its last letter. Another name would
          // recreate all pods.
          annotations: { 'checksum/configmp-containerd-gvisor': checksumOf(name, script) },
          labels: {
            ...podLabels,
            origin: 'gardener-extension-runtime-gvisor',
            'gardener.cloud/role': 'container-runtime',
          },
        },
        spec: {
          serviceAccountName: runtimeName,
          automountServiceAccountToken: false,
          securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
          hostPID: true,
          hostIPC: true,
          nodeSelector: { 'worker.gardener.cloud/cri-name': 'containerd', ...pool.nodeLabels },
          tolerations: [
            { effect: 'NoSchedule', operator: 'Exists' },
            { effect: 'NoExecute', operator: 'Exists' },
          ],
          containers: [
            {
              name: 'container-runtime-gvisor-containerd',
              image,
              command: [`/scripts/${scriptName}`],
              securityContext: { privileged: true },
              volumeMounts: [
                { name: 'host-volume', mountPath: '/var/host' },
                { name: 'install-gvisor', mountPath: '/scripts' },
              ],
            },
          ],
          volumes: [
            { name: 'host-volume', hostPath: { path: '/' } },
            { name: 'install-gvisor', configMap: { name, defaultMode: 0o744 } },
          ],
        },
      },
    },
  }
  return [configMap, daemonSet]
}

/**
 * The checksum in the pods, which recreates them when the script changes. Computed from the ConfigMap's text as in the
 * Go extension's chart, so that a takeover recreates no pod.
 */
const checksumOf = (name: string, script: string): string => {
  const lines = [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    `  name: ${name}`,
    `  namespace: ${systemNamespace}`,
    'data:',
    `  ${scriptName}: |-`,
    ...script.split('\n').map(line => (line === '' ? '' : `    ${line}`)),
    '',
  ]
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
