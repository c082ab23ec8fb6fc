import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Endpoint {
  readonly port: number
  readonly probePort: number
}

/** What a Service is to API servers: one address, behind it the replicas that say that they are ready, by turns. */
export interface WebhookService {
  readonly url: string
  readonly add: (endpoint: Endpoint) => void
  /** Those that new connections go to. */
  readonly ready: () => number
  readonly close: () => void
}

/** How often it asks who is ready, in ms. */
const probeMs = 100

/** Connections stay where they are, also when their replica is not ready any more: so does kube-proxy. */
export const startWebhookService = async (): Promise<WebhookService> => {
  const known = new Set<Endpoint>()
  const readiness = new Set<Endpoint>()
  let next = 0
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const ready = [...readiness]
    const endpoint = ready[next++ % Math.max(ready.length, 1)]
    if (endpoint === undefined) {
      near.destroy()
      return
    }
    const far = connect(endpoint.port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {
        near.destroy()
        far.destroy()
      })
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const isReady = async ({ probePort }: Endpoint): Promise<boolean> => {
    try {
      return (await fetch(`http://127.0.0.1:${probePort}/health/readiness`)).status === 200
    } catch {
      return false
    }
  }
  /** Handles each replica alone, so that a slow one does not affect the others. */
  const probe = async (endpoint: Endpoint): Promise<void> => {
    if (await isReady(endpoint)) readiness.add(endpoint)
    else readiness.delete(endpoint)
  }
  const timer = setInterval(() => {
    for (const endpoint of known) void probe(endpoint)
  }, probeMs)
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: endpoint => void known.add(endpoint),
    ready: () => readiness.size,
    close: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
