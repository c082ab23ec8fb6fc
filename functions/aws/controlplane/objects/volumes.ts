import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node'
import type { Json } from '../../../../shared/kubernetes/kubernetes.ts'
import { cloudproviderName } from './names.ts'

type PodVolume = Json<V1Volume>
export type Mount = Json<V1VolumeMount>

/** 0644: read-only for all but the owner. */
export const fileMode = 0o644

const shootFolder = '/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig'

/** Path of the kubeconfig for the shoot's API server. */
export const kubeconfigPath = `${shootFolder}/kubeconfig`

const secretFiles = (name: string, keys: readonly string[]) => ({
  secret: { name, items: keys.map(key => ({ key, path: key })), optional: false },
})

/** The shared kubeconfig of the shoot with the token of one component. */
export const kubeconfigVolume = (
  genericKubeconfig: string,
  component: string,
  name = 'kubeconfig',
): PodVolume => ({
  name,
  projected: {
    defaultMode: fileMode,
    sources: [
      secretFiles(genericKubeconfig, ['kubeconfig']),
      secretFiles(`shoot-access-${component}`, ['token']),
    ],
  },
})

export const kubeconfigMount = (name = 'kubeconfig'): Mount => ({
  name,
  mountPath: shootFolder,
  readOnly: true,
})

/** Keys of the Secret `cloudprovider` as files. */
export const cloudproviderVolume = (keys: readonly string[]): PodVolume => ({
  name: cloudproviderName,
  projected: { defaultMode: fileMode, sources: [secretFiles(cloudproviderName, keys)] },
})

export const cloudproviderMount = (mountPath: string): Mount => ({
  name: cloudproviderName,
  mountPath,
  readOnly: true,
})

/** A directory of the node. */
export const hostVolume = (
  name: string,
  path: string,
  type: 'Directory' | 'DirectoryOrCreate' = 'Directory',
): PodVolume => ({ name, hostPath: { path, type } })
