import { Agent } from 'node:http'
import { createPost } from '../../shared/events/events.ts'
import { type BrokerCore, type BrokerCoreOptions, createBrokerCore } from './broker-core.ts'
import { serveIngress } from './ingress.ts'

/** Manifests and behaviour of a broker. */
export interface BrokerOptions extends Omit<BrokerCoreOptions, 'postWithin'> {
  /** Port of the ingress. 0 or absent: the system chooses. */
  readonly port?: number
}

/** A running broker. */
export interface SandboxBroker extends Omit<BrokerCore, 'take' | 'tooLargeFor' | 'refused'> {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string
  /** Returns the URL to POST events of a Broker to: `<url>/<namespace>/<name>`. */
  ingress(namespace: string, name: string): string
}

/**
 * Starts a broker with the Triggers of the manifests: an HTTP ingress, filters, at-least-once delivery with retries and
 * dead letters, like one of Knative's brokers. Events are in memory.
 *
 * @example
 * const broker = await createBroker({
 *   manifests: await loadManifests(['knative/base']),
 *   resolve: async () => 'http://127.0.0.1:8080',
 *   clock: systemClock,
 *   log,
 * })
 * console.log(broker.ingress('trellis', 'default'))
 * await broker.close()
 */
export const createBroker = async ({ port = 0, ...options }: BrokerOptions): Promise<SandboxBroker> => {
  const { clock } = options
  const agent = new Agent({ keepAlive: true })
  const { take, tooLargeFor, refused, ...core } = createBrokerCore({
    ...options,
    postWithin: timeoutMs => createPost({ agent, clock, timeoutMs }),
  })
  const ingress = await serveIngress({ port, clock, publish: take, onRefused: refused, tooLargeFor })
  return {
    ...core,
    url: ingress.url,
    ingress: (namespace, name) => `${ingress.url}/${namespace}/${name}`,
    close: async () => {
      // Ends the deliveries for which a synchronous ingress waits.
      const closed = core.close()
      await ingress.close()
      await closed
      agent.destroy()
    },
  }
}
