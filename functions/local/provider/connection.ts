import type { Kubernetes, Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { NameServerTransport } from '../dnsrecord/name-server/name-server.ts'

/**
 * Where provider cluster and name server are, for functions of a sandbox: any credentials do there. What is absent is found as
 * in a seed: the provider cluster by the kubeconfig of a Secret, the name server by the settings.
 */
export interface LocalConnection {
  readonly providerCluster?: Kubernetes
  /** `inMemory(server.answer)` for one of this process; over the network otherwise. */
  readonly nameServer?: NameServerTransport
  /** Put around the connections to each provider cluster that is reached by a Secret: for who tells its calls. */
  readonly around?: (send: Transport) => Transport
}
