import type { Kubernetes, Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { NameServerTransport } from '../dnsrecord/name-server/name-server.ts'

/**
 * The provider cluster and name server for functions of a sandbox, where any credentials are accepted. An absent field
 * is found as in a seed: the provider cluster by the kubeconfig of a Secret, the name server by the settings.
 */
export interface LocalConnection {
  readonly providerCluster?: Kubernetes
  /** `inMemory(server.answer)` for a server in this process. Default: over the network. */
  readonly nameServer?: NameServerTransport
  /**
   * Wraps the connections to each provider cluster that is reached with a Secret, so that its calls can be reported.
   */
  readonly around?: (send: Transport) => Transport
}
