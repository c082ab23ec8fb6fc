import { systemNamespace } from '../../../build/library/components.ts'
import type { KubernetesObject } from '../../../build/library/trellis.ts'
import type { Amounts } from './input/scaling.ts'

interface ContainerPolicy {
  readonly containerName: string
  readonly controlledValues?: 'RequestsOnly'
  readonly mode?: 'Off'
  readonly minAllowed?: Amounts
}

/** The used fields of `VerticalPodAutoscaler` (`autoscaling.k8s.io/v1`). */
export interface WorkloadAutoscaler extends KubernetesObject {
  readonly spec: {
    readonly targetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    readonly updatePolicy: { readonly updateMode: 'InPlaceOrRecreate' }
    readonly resourcePolicy: { readonly containerPolicies: readonly ContainerPolicy[] }
  }
}

/** Adjusts the resource requests of a workload's containers to their usage. */
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

/** Scales only the requests, and not below the minimum. */
export const scaled = (containerName: string, least: Amounts = {}): ContainerPolicy => ({
  containerName,
  controlledValues: 'RequestsOnly',
  ...(Object.keys(least).length > 0 && { minAllowed: least }),
})

export const unscaled = (containerName: string): ContainerPolicy => ({ containerName, mode: 'Off' })
