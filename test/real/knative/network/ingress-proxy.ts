import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { Endpoint } from './endpoints.ts'
import type { Route, RoutedRequest } from './ingress-routes.ts'

export interface IngressProxyOptions {
  readonly address: string
  readonly port: number
  readonly routeOf: (request: RoutedRequest) => Route | undefined
  readonly endpointOf: (route: Route) => Endpoint | undefined
}

/** Headers of one connection, which a proxy does not forward. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade']

/**
 * Starts the gateway of the networking layer: it forwards each request once, without a limit of its size or
 * time, over reused connections.
 */
export const startIngressProxy = async ({
  address,
  port: own,
  routeOf,
  endpointOf,
}: IngressProxyOptions): Promise<{ readonly close: () => void }> => {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 30_000, maxFreeSockets: 1_000 })
  const server = createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, noDelay: true },
    (incoming, outgoing) => {
      const { host = '' } = incoming.headers
      const route = routeOf({ host, path: incoming.url ?? '/', headers: incoming.headers })
      if (route === undefined) return refuse(outgoing, 404, `no Ingress has the host ${host}`)
      const endpoint = endpointOf(route)
      const { namespace, name } = route.service
      if (endpoint === undefined) return refuse(outgoing, 503, `${namespace}/${name} has no ready endpoint`)
      forward(agent, incoming, outgoing, route, endpoint)
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: address, port: own, backlog: 4096 }, resolve)
  })
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

const refuse = (outgoing: ServerResponse, status: number, text: string): void => {
  outgoing.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}

const forward = (
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { headers, host = incoming.headers.host ?? '' }: Route,
  { address, port }: Endpoint,
): void => {
  const own = Object.fromEntries(
    Object.entries(incoming.headersDistinct).filter(([name]) => !ofConnection.includes(name)),
  )
  const forwarded = httpRequest({
    agent,
    host: address,
    port,
    method: incoming.method,
    path: incoming.url,
    headers: { ...own, host, ...lowerCase(headers) },
  })
  forwarded.on('response', answer => {
    const passed = Object.entries(answer.headersDistinct).filter(([name]) => !ofConnection.includes(name))
    outgoing.writeHead(answer.statusCode ?? 502, Object.fromEntries(passed))
    answer.pipe(outgoing)
    answer.once('error', () => outgoing.destroy())
  })
  forwarded.once('error', error => {
    if (outgoing.headersSent) outgoing.destroy()
    else refuse(outgoing, 503, error.message)
  })
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) forwarded.destroy()
  })
  incoming.pipe(forwarded)
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
