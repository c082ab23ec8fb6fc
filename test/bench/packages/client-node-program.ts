import { startupSnapshot } from 'node:v8'
import { type HttpLibrary, KubeConfig, Observable, ResponseContext } from '@kubernetes/client-node'
import {
  type createKubernetes,
  type Kubernetes,
  readText,
  type Transport,
  type TransportRequest,
} from '../../../shared/kubernetes/kubernetes.ts'
import { clientNode } from './client-node.ts'
import { reuseConnections } from './reuse-connections.ts'

/** `published`: as the package connects. `reused`: with shared connections. `ours`: its clients over our transport. */
export type Connections = 'published' | 'reused' | 'ours'

/**
 * Replaces `createKubernetes` in a program. The transport is only used for `ours` and in the warm-up for a startup
 * snapshot: undici registers each response for finalization, and a snapshot must not contain such a registry.
 */
export const clientNodeProgram =
  (connections: Connections): typeof createKubernetes =>
  ({ transport }): Kubernetes => {
    const config = new KubeConfig()
    if (connections === 'ours' || startupSnapshot.isBuildingSnapshot()) {
      config.loadFromClusterAndUser(
        { name: 'none', server: 'https://none', skipTLSVerify: false },
        { name: 'none' },
      )
      // The transport adds the credentials.
      config.applySecurityAuthentication = async () => undefined
      return clientNode({ config, httpApi: overTransport(transport) })
    }
    config.loadFromCluster()
    return clientNode({ config: connections === 'reused' ? reuseConnections(config) : config })
  }

const overTransport = (transport: Transport): HttpLibrary => ({
  send: request => {
    const { pathname, search } = new URL(request.getUrl())
    const body = request.getBody()
    const signal = request.getSignal()
    const answered = transport({
      method: request.getHttpMethod() as TransportRequest['method'],
      path: pathname + search,
      headers: request.getHeaders(),
      ...(body !== undefined && { body: String(body) }),
      ...(signal && { signal }),
    })
    return new Observable(
      answered.then(({ status, headers, body: chunks }) => {
        const text = () => readText(chunks)
        return new ResponseContext(
          status,
          { ...headers },
          { text, binary: async () => Buffer.from(await text()), stream: () => null },
        )
      }),
    )
  },
})
