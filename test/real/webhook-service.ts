import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Endpoint {
  readonly port: number
  readonly probePort: number
}

/** Imitates a Service for API servers: one address, with round robin over the ready replicas. */
export interface WebhookService {
  readonly url: string
  readonly add: (endpoint: Endpoint) => void
  /** Returns the number of replicas that get new connections. */
  readonly ready: () => number
  readonly close: () => void
}

/** The interval of readiness probes, in milliseconds. */
const probeMs = 100

/** Open connections remain even when their replica is no longer ready, as with kube-proxy. */
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
  /** Probes each replica separately, so that a slow one does not affect the others. */
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
