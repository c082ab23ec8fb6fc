import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ImageName } from '../images/images.ts'
import type { ControlPlaneValues } from '../input/control-plane-values.ts'
import { checksumAnnotations } from './names.ts'

/** The generated Secrets that components name. */
export interface GeneratedNames {
  /** With the server certificate of the cloud controller manager. */
  readonly cloudControllerServer: string
  /** With the server certificate of the load balancer controller's webhooks. */
  readonly loadBalancerWebhookServer: string
  /** The certificates that the shoot's API server trusts when it calls these webhooks, in PEM. */
  readonly caBundle: string
}

/** What each component is rendered of. */
export interface Rendering extends ControlPlaneValues {
  /** Of each component that is on: 1, or 0 when the shoot sleeps. */
  readonly replicas: number
  readonly generated: GeneratedNames
  readonly image: (name: ImageName) => string
  readonly checksums: { readonly cloudprovider: string; readonly cloudProviderConfig: string }
}

/** The objects of one component; `seed` and `shoot` are two clusters. */
export interface Component {
  readonly seed?: (rendering: Rendering) => readonly KubernetesObject[]
  readonly shoot?: (rendering: Rendering) => readonly KubernetesObject[]
}

/** Pods are made anew when the credentials change. */
export const credentialsChecksum = ({ checksums }: Rendering) => ({
  [checksumAnnotations.cloudprovider]: checksums.cloudprovider,
})
