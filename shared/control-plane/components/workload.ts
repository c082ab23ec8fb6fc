import type { V1Container } from '@kubernetes/client-node'
import type { Json, KubernetesObject } from '../../kubernetes/kubernetes.ts'

export type Container = Json<V1Container>

export const memory = (request: string, limit?: string) => ({
  ...(limit !== undefined && { limits: { memory: limit } }),
  requests: { memory: request },
})

/** The used fields of `VerticalPodAutoscaler` (`autoscaling.k8s.io/v1`). */
export interface VerticalPodAutoscaler extends KubernetesObject {
  readonly spec: {
    readonly targetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    readonly updatePolicy: { readonly updateMode: 'InPlaceOrRecreate' }
    readonly resourcePolicy: {
      readonly containerPolicies: readonly {
        readonly containerName: string
        readonly controlledValues: 'RequestsOnly'
        readonly controlledResources?: readonly 'memory'[]
      }[]
    }
  }
}

/** Adjusts the resource requests of a Deployment's containers to their usage. */
export const verticalPodAutoscaler = (
  namespace: string,
  deployment: string,
  containers: readonly string[],
  {
    name = `${deployment}-vpa`,
    resources = ['memory'],
  }: {
    readonly name?: string
    /** The adjusted resources. `all`: also the CPU. */
    readonly resources?: readonly 'memory'[] | 'all'
  } = {},
): VerticalPodAutoscaler => ({
  apiVersion: 'autoscaling.k8s.io/v1',
  kind: 'VerticalPodAutoscaler',
  metadata: { name, namespace },
  spec: {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: deployment },
    updatePolicy: { updateMode: 'InPlaceOrRecreate' },
    resourcePolicy: {
      containerPolicies: containers.map(containerName => ({
        containerName,
        controlledValues: 'RequestsOnly',
        ...(resources !== 'all' && { controlledResources: resources }),
      })),
    },
  },
})
