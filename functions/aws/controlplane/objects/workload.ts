import type { V1Container } from '@kubernetes/client-node'
import type { Json, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/** The parts that every workload of a control plane shares. */

export type Container = Json<V1Container>

/** Memory requests and limits of a container. */
export const memory = (request: string, limit?: string) => ({
  ...(limit !== undefined && { limits: { memory: limit } }),
  requests: { memory: request },
})

/** A CSI sidecar writes only to its sockets. */
export const readOnlyContext = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }

/** The used fields of `VerticalPodAutoscaler` (`autoscaling.k8s.io/v1`). */
export interface VerticalPodAutoscaler extends KubernetesObject {
  readonly spec: {
    readonly targetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    readonly updatePolicy: { readonly updateMode: 'InPlaceOrRecreate' }
    readonly resourcePolicy: {
      readonly containerPolicies: readonly {
        readonly containerName: string
        readonly controlledValues: 'RequestsOnly'
        readonly controlledResources: readonly 'memory'[]
      }[]
    }
  }
}

/** Adjusts the resource requests of a Deployment's containers to their usage. */
export const verticalPodAutoscaler = (
  namespace: string,
  deployment: string,
  containers: readonly string[],
  name = `${deployment}-vpa`,
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
        controlledResources: ['memory'],
      })),
    },
  },
})
