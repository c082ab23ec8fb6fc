import { Readable } from 'node:stream'
import type { LocalConnection } from '../../../functions/local/provider/local.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  openAccess,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { SendCloudHttp } from '../../../terraform-free-infra/cloud/http-sender.ts'
import type { ConnectSettings } from '../provider.ts'
import { type ClusterCall, callOf } from './cluster/provider-cluster.ts'

/** Connects to the provider cluster at a URL, as a sandbox serves it. Without a URL, uses the one in each Secret. */
export const connectLocal = async ({ endpoint, onCall, send }: ConnectSettings): Promise<LocalConnection> => {
  const around: (send: Transport) => Transport = onCall === undefined ? send => send : observed(onCall)
  if (endpoint === undefined) return { around }
  const transport = around(
    send === undefined ? httpTransport({ access: openAccess(endpoint) }).send : transportOver(send, endpoint),
  )
  const providerCluster: Kubernetes = createKubernetes({ transport, clock: systemClock })
  return { providerCluster }
}

const transportOver =
  (send: SendCloudHttp, endpoint: string): Transport =>
  async ({ method, path, headers, body, signal = new AbortController().signal }) => {
    const url = `${endpoint.replace(/\/$/, '')}${path}`
    const answer = await send({ method, url, headers, ...(body && { body }), tls: {}, signal })
    const known = Object.entries(answer.headers).filter(([, value]) => value !== undefined)
    return {
      status: answer.status,
      // Undefined values are left out.
      headers: Object.fromEntries(known) as Record<string, string>,
      body: Readable.from([Buffer.from(answer.body)]),
    }
  }

const observed =
  (onCall: (call: ClusterCall) => void) =>
  (send: Transport): Transport =>
  async request => {
    const response = await send(request)
    onCall(callOf({ ...request, status: response.status }))
    return response
  }
