import type { V1Container, V1PodSpec, V1Volume, V1VolumeMount } from '@kubernetes/client-node'
import type { Json, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { CalicoImage } from './image-table.ts'
import type { CalicoValues } from './input/calico-values.ts'

/** What the parts of Calico have alike. */

export interface CalicoRendering extends CalicoValues {
  readonly image: (name: CalicoImage) => string
}

/** Objects of one part, in the shoot. */
export type CalicoComponent = (rendering: CalicoRendering) => readonly KubernetesObject[]

export type CalicoContainer = Json<V1Container>
export type PodFields = Json<V1PodSpec>
export type EnvVar = NonNullable<CalicoContainer['env']>[number]
export type CalicoVolume = Json<V1Volume>
export type CalicoMount = Json<V1VolumeMount>

export const ports = { felixMetrics: 9091, typhaMetrics: 9093, birdMetrics: 9094, typha: 5473 } as const

/** What NetworkPolicies of the shoot let a pod reach. */
export const reaches = {
  apiServer: { 'networking.gardener.cloud/to-apiserver': 'allowed' },
  dns: { 'networking.gardener.cloud/to-dns': 'allowed' },
  publicNetworks: { 'networking.gardener.cloud/to-public-networks': 'allowed' },
} as const
export const reachesAll = { ...reaches.publicNetworks, ...reaches.apiServer, ...reaches.dns }

export const labelsOf = (app: string) => ({ 'k8s-app': app })
export const systemLabels = { 'gardener.cloud/role': 'system-component' }
/** A node takes no pods of users before such a pod runs on it. */
export const criticalLabels = { 'node.gardener.cloud/critical-component': 'true' }
export const originLabels = { origin: 'gardener' }

/** What a resource manager leaves as somebody else has set it: an autoscaler. */
export const preservesResources = { 'resources.gardener.cloud/preserve-resources': 'true' }
export const deleteOnInvalidUpdate = { 'resources.gardener.cloud/delete-on-invalid-update': 'true' }

export const runtimeProfile = { seccompProfile: { type: 'RuntimeDefault' } }

export const everywhere = [
  { effect: 'NoSchedule', operator: 'Exists' },
  { effect: 'NoExecute', operator: 'Exists' },
]

export const requests = (cpu: string | number, memory: string | number) => ({
  // Amounts of digits alone are numbers, as the Go extension writes them.
  requests: { cpu: cpu as string, memory: memory as string },
})

export const hostVolume = (name: string, path: string, type?: string): CalicoVolume => ({
  name,
  hostPath: { path, ...(type !== undefined && { type }) },
})

export const variable = (name: string, value: string): EnvVar => ({ name, value })

/** The element where it is wanted, for lists. */
export const when = <T>(condition: boolean, ...elements: readonly T[]): readonly T[] =>
  condition ? elements : []
