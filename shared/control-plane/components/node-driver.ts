import type { V1CSIDriver, V1DaemonSet, V1PodSpec } from '@kubernetes/client-node'
import type { Json, Rendered } from '../../kubernetes/kubernetes.ts'
import { systemNamespace, type TextMap } from '../../manifests/manifests.ts'
import { hostVolume, type Mount } from './volumes.ts'
import { type Container, memory } from './workload.ts'

/** The common part of volume drivers on nodes: their pods, the paths of the kubelet, and how it finds them. */

const kubeletFolder = '/var/lib/kubelet'
const pluginFolder = (driver: string) => `${kubeletFolder}/plugins/${driver}/`

const tolerations = [
  { effect: 'NoSchedule', operator: 'Exists' },
  { key: 'CriticalAddonsOnly', operator: 'Exists' },
  { effect: 'NoExecute', operator: 'Exists' },
]

export const nodeDriverVolumes = (driver: string) => [
  hostVolume('kubelet-dir', kubeletFolder),
  hostVolume('plugin-dir', pluginFolder(driver), 'DirectoryOrCreate'),
  hostVolume('registration-dir', `${kubeletFolder}/plugins_registry/`),
]

export const nodeDriverMounts = {
  kubelet: { name: 'kubelet-dir', mountPath: kubeletFolder, mountPropagation: 'Bidirectional' },
  plugin: { name: 'plugin-dir', mountPath: '/csi' },
  registration: { name: 'registration-dir', mountPath: '/registration' },
} satisfies Record<string, Mount>

/** Returns the DaemonSet of a driver in the shoot. It runs on every node. `added`: labels beside those it selects. */
export const nodeDriver = (
  name: string,
  {
    labels,
    added,
    annotations,
  }: { readonly labels: TextMap; readonly added?: TextMap; readonly annotations?: TextMap },
  pod: Omit<Json<V1PodSpec>, 'tolerations'>,
): Rendered<V1DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace: systemNamespace, labels: { ...labels, ...added } },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels: { ...labels, ...added }, ...(annotations && { annotations }) },
      spec: { hostNetwork: true, priorityClassName: 'system-node-critical', tolerations, ...pod },
    },
  },
})

export const csiDriver = (name: string, spec: Json<V1CSIDriver['spec']>): Rendered<V1CSIDriver> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name },
  spec,
})

/** Registers a driver with the kubelet. */
export const registrar = (
  driver: string,
  container: Pick<Container, 'image' | 'securityContext'>,
): Container => ({
  name: 'csi-node-driver-registrar',
  args: ['--csi-address=$(ADDRESS)', '--kubelet-registration-path=$(DRIVER_REG_SOCK_PATH)', '--v=5'],
  env: [
    { name: 'ADDRESS', value: '/csi/csi.sock' },
    { name: 'DRIVER_REG_SOCK_PATH', value: `${pluginFolder(driver)}csi.sock` },
  ],
  resources: memory('32Mi'),
  volumeMounts: [nodeDriverMounts.plugin, nodeDriverMounts.registration],
  ...container,
})

/** The probe of a driver, answered by a container beside it. */
export const driverProbe = {
  httpGet: { path: '/healthz', port: 'healthz' },
  initialDelaySeconds: 10,
  timeoutSeconds: 3,
  periodSeconds: 10,
  failureThreshold: 5,
}
