import { httpTransport, readText } from '../../../../shared/kubernetes/kubernetes.ts'
import type { KnativeCluster } from '../knative-cluster.ts'

/** A client of the Broker, from outside of Trellis. */
export interface BrokerClient {
  /** Posts an event and returns the HTTP status. */
  send(token?: string): Promise<number>
  /** Returns a token of a service account for the Broker. */
  tokenOf(account: string): Promise<string>
  /** The service account that Knative created for the bridge. */
  readonly bridgeAccount: string
  close(): Promise<void>
}

const namespace = 'trellis'

/** Opens a way to the ingress of the Broker `default`. */
export const openBroker = async ({ kubernetes, machine, server }: KnativeCluster): Promise<BrokerClient> => {
  const services = { group: '', version: 'v1', plural: 'services', namespaced: true }
  const ingress = await kubernetes.get(services, { name: 'broker-ingress', namespace: 'knative-eventing' })
  const { clusterIP = '' } = (ingress?.spec ?? {}) as { readonly clusterIP?: string }
  const brokers = { group: 'eventing.knative.dev', version: 'v1', plural: 'brokers', namespaced: true }
  const broker = await kubernetes.get(brokers, { name: 'default', namespace })
  const { address } = (broker?.status ?? {}) as { readonly address?: { readonly audience?: string } }
  const bindings = { group: 'sources.knative.dev', version: 'v1', plural: 'sinkbindings', namespaced: true }
  const binding = await kubernetes.get(bindings, { name: 'bridge', namespace })
  const { auth } = (binding?.status ?? {}) as { readonly auth?: { readonly serviceAccountName?: string } }
  const door = await machine.openInside(clusterIP, 80)
  const transport = httpTransport({ access: server.access })
  return {
    bridgeAccount: auth?.serviceAccountName ?? '',
    send: async token => {
      const answer = await fetch(`http://127.0.0.1:${door.port}/${namespace}/default`, {
        method: 'POST',
        headers: {
          'ce-specversion': '1.0',
          'ce-id': crypto.randomUUID(),
          'ce-type': 'dev.trellis.test',
          'ce-source': '/test',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      })
      await answer.text()
      return answer.status
    },
    tokenOf: async account => {
      const { status, body } = await transport.send({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { audiences: [address?.audience] },
        }),
      })
      const text = await readText(body)
      if (status !== 201) throw new Error(`cannot request a token of ${account}: ${text}`)
      return (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token
    },
    close: async () => {
      transport.close()
      await door.close()
    },
  }
}
