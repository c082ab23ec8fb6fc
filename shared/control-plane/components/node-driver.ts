import { hostVolume, type Mount } from './volumes.ts'

/** The common part of volume drivers on nodes: the paths of the kubelet, and tolerations for every node. */

const kubeletFolder = '/var/lib/kubelet'
const pluginFolder = (driver: string) => `${kubeletFolder}/plugins/${driver}/`

export const nodeTolerations = [
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

export const registrarEnv = (driver: string) => [
  { name: 'ADDRESS', value: '/csi/csi.sock' },
  { name: 'DRIVER_REG_SOCK_PATH', value: `${pluginFolder(driver)}csi.sock` },
]
