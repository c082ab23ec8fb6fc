import type { ConnectSettings } from '../../../cli/provider/provider.ts'
import { type ClusterCall, callOf } from '../../../sandbox/provider-cluster/provider-cluster.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  openAccess,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { LocalConnection } from '../../../terraform-free-infra/local/local.ts'

/** The provider cluster at a URL, as the sandbox serves one; without one, that of each Secret. */
export const connectLocal = async ({ endpoint, onCall }: ConnectSettings): Promise<LocalConnection> => {
  const around: (send: Transport) => Transport = onCall === undefined ? send => send : observed(onCall)
  if (endpoint === undefined) return { around }
  const transport = around(httpTransport({ access: openAccess(endpoint) }).send)
  const providerCluster: Kubernetes = createKubernetes({ transport, clock: systemClock })
  return { providerCluster }
}

const observed =
  (onCall: (call: ClusterCall) => void) =>
  (send: Transport): Transport =>
  async request => {
    const response = await send(request)
    onCall(callOf({ ...request, status: response.status }))
    return response
  }
