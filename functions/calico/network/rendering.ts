import type { V1Container, V1PodSpec, V1Volume } from '@kubernetes/client-node'
import { networkLabels } from '../../../build/library/components.ts'
import type { Json, KubernetesObject } from '../../../build/library/trellis.ts'
import type { CalicoImage } from './image-table.ts'
import type { CalicoValues } from './input/calico-values.ts'

export interface CalicoRendering extends CalicoValues {
  readonly image: (name: CalicoImage) => string
}

/** Returns the objects of one part, in the shoot. */
export type CalicoComponent = (rendering: CalicoRendering) => readonly KubernetesObject[]

export type CalicoContainer = Json<V1Container>
export type PodFields = Json<V1PodSpec>
export type EnvVar = NonNullable<CalicoContainer['env']>[number]
export type CalicoVolume = Json<V1Volume>

export const ports = { felixMetrics: 9091, typhaMetrics: 9093, birdMetrics: 9094, typha: 5473 } as const

/** Labels by which NetworkPolicies of the shoot allow egress of a pod. */
export const reachesAll = {
  ...networkLabels.toPublicNetworks,
  ...networkLabels.toApiServer,
  ...networkLabels.toDns,
}

export const labelsOf = (app: string) => ({ 'k8s-app': app })
export const originLabels = { origin: 'gardener' }

/** The resource manager does not override resource requests that an autoscaler has set. */
export const preservesResources = { 'resources.gardener.cloud/preserve-resources': 'true' }

export const runtimeProfile = { seccompProfile: { type: 'RuntimeDefault' } }

export const everywhere = [
  { effect: 'NoSchedule', operator: 'Exists' },
  { effect: 'NoExecute', operator: 'Exists' },
]

export const requests = (cpu: string | number, memory: string | number) => ({
  // Amounts of only digits are numbers, as the Go extension writes them.
  requests: { cpu: cpu as string, memory: memory as string },
})

export const hostVolume = (name: string, path: string, type?: string): CalicoVolume => ({
  name,
  hostPath: { path, ...(type !== undefined && { type }) },
})

export const variable = (name: string, value: string): EnvVar => ({ name, value })
