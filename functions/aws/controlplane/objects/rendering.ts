import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ImageName } from '../images/images.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'
import { checksumAnnotations } from './names.ts'

/** The names of the generated Secrets that components use. */
export interface GeneratedNames {
  /** The Secret with the server certificate of the cloud controller manager. */
  readonly cloudControllerServer: string
  /** The Secret with the server certificate of the load balancer controller's webhooks. */
  readonly loadBalancerWebhookServer: string
  /** The CA certificates by which the shoot's API server verifies these webhooks, in PEM. */
  readonly caBundle: string
}

/** The input for rendering a component. */
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
