import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ImageName } from '../images/image-table.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'

/** The parts that every workload of a control plane of AWS shares. */

/** A CSI sidecar writes only to its sockets. */
export const readOnlyContext = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }

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
