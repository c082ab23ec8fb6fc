import type { LocalConnection } from '../../../functions/local/provider/local.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  openAccess,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { ConnectSettings } from '../provider.ts'
import { type ClusterCall, callOf } from './cluster/provider-cluster.ts'

/** Connects to the provider cluster at a URL, as a sandbox serves it. Without a URL, uses the one in each Secret. */
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
