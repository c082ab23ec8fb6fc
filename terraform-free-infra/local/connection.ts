import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/**
 * Where provider cluster and name server are, for functions of a sandbox: any credentials do there. What is absent is found as
 * in a seed: the provider cluster by the kubeconfig of a Secret, the name server by the settings.
 */
export interface LocalConnection {
  readonly providerCluster?: Kubernetes
  /** Over UDP. */
  readonly nameServer?: { readonly host: string; readonly port: number }
  /** Put around the API server of each provider cluster that is reached by a Secret: for who tells its calls. */
  readonly around?: (providerCluster: Kubernetes) => Kubernetes
}
