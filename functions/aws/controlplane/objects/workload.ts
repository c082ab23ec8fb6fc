import type { V1Container } from '@kubernetes/client-node'
import type { Json, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/** What every workload of a control plane has beside itself. */

export type Container = Json<V1Container>

/** What a container asks for, and what it may take at most. */
export const memory = (request: string, limit?: string) => ({
  ...(limit !== undefined && { limits: { memory: limit } }),
  requests: { memory: request },
})

/** A sidecar of CSI writes nowhere but into its sockets. */
export const readOnlyContext = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }

/** `VerticalPodAutoscaler` of `autoscaling.k8s.io/v1`, as far as it is used here. */
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

/** Sets what the containers of a Deployment ask for by what they use. */
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
