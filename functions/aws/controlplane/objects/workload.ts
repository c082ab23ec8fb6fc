import type { V1Container } from '@kubernetes/client-node'
import type { Json, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ImageName } from '../images/images.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'

/** The parts that every workload of a control plane shares. */

export type Container = Json<V1Container>

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

export interface GeneratedNames {
  readonly cloudControllerServer: string
  readonly loadBalancerWebhookServer: string
  /** The CA certificates by which the shoot's API server verifies these webhooks, in PEM. */
  readonly caBundle: string
}

export interface Rendering extends ControlPlaneValues {
  /** Replicas of each component that is on: 1, or 0 if the shoot is hibernated. */
  readonly replicas: number
  readonly generated: GeneratedNames
  readonly image: (name: ImageName) => string
  readonly checksums: { readonly cloudprovider: string; readonly cloudProviderConfig: string }
}

/** Renders the objects of one component. `seed` and `shoot` are two clusters. */
export interface Component {
  readonly seed?: (rendering: Rendering) => readonly KubernetesObject[]
  readonly shoot?: (rendering: Rendering) => readonly KubernetesObject[]
}

/** Restarts pods when the credentials change. */
export const credentialsChecksum = ({ checksums }: Rendering) => ({
  [checksumAnnotations.cloudprovider]: checksums.cloudprovider,
})

/** Names that several components share, and label and annotation keys that other programs read. */

/** The Secret with the credentials of AWS, in the shoot's namespace of the seed. */
export const cloudproviderName = 'cloudprovider'

/** Returns the name of a role of the Go extension in the shoot. */
export const roleName = (component: string): string => `extensions.gardener.cloud:provider-aws:${component}`

export const checksumAnnotations = {
  cloudprovider: `checksum/secret-${cloudproviderName}`,
  cloudProviderConfig: 'checksum/configmap-cloud-provider-config',
} as const
