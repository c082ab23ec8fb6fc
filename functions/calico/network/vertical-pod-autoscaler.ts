import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { systemNamespace } from '../../../shared/manifests/manifests.ts'
import type { Amounts } from './input/scaling.ts'

interface ContainerPolicy {
  readonly containerName: string
  readonly controlledValues?: 'RequestsOnly'
  readonly mode?: 'Off'
  readonly minAllowed?: Amounts
}

/** `VerticalPodAutoscaler` of `autoscaling.k8s.io/v1`, as far as it is used here. */
export interface WorkloadAutoscaler extends KubernetesObject {
  readonly spec: {
    readonly targetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    readonly updatePolicy: { readonly updateMode: 'InPlaceOrRecreate' }
    readonly resourcePolicy: { readonly containerPolicies: readonly ContainerPolicy[] }
  }
}

/** Sets what the containers of a workload ask for by what they use. */
export const verticalPodAutoscaler = (
  name: string,
  target: { readonly kind: 'Deployment' | 'DaemonSet'; readonly name: string },
  containerPolicies: readonly ContainerPolicy[],
): WorkloadAutoscaler => ({
  apiVersion: 'autoscaling.k8s.io/v1',
  kind: 'VerticalPodAutoscaler',
  metadata: { name, namespace: systemNamespace },
  spec: {
    targetRef: { apiVersion: 'apps/v1', ...target },
    updatePolicy: { updateMode: 'InPlaceOrRecreate' },
    resourcePolicy: { containerPolicies },
  },
})

/** Scales what is asked for alone, and not below the least amounts. */
export const scaled = (containerName: string, least: Amounts = {}): ContainerPolicy => ({
  containerName,
  controlledValues: 'RequestsOnly',
  ...(Object.keys(least).length > 0 && { minAllowed: least }),
})

export const unscaled = (containerName: string): ContainerPolicy => ({ containerName, mode: 'Off' })
