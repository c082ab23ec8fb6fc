import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node'
import type { Json } from '../../kubernetes/kubernetes.ts'

export type PodVolume = Json<V1Volume>
export type Mount = Json<V1VolumeMount>

/** Returns a volume with a path of the node. */
export const hostVolume = (
  name: string,
  path: string,
  type: 'Directory' | 'DirectoryOrCreate' = 'Directory',
): PodVolume => ({ name, hostPath: { path, type } })
