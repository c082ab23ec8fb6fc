import { connect, createServer, type Server, type Socket } from 'node:net'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { type Endpoints, nameOf } from './endpoints.ts'

/** The stand-in for kube-proxy: forwards connections to the address of a Service to its endpoints. */
export interface ServiceProxy {
  upsert(service: KubernetesObject): void
  delete(name: string): void
  /** The endpoints of a Service may have changed. */
  changed(service: string): void
  close(): void
}

export interface Service extends KubernetesObject {
  readonly spec: {
    readonly type?: string
    readonly clusterIP?: string
    readonly externalName?: string
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[]
  }
}

/** Listens at the address of each Service that has ready endpoints. The kernel refuses connections to the others. */
export const createServiceProxy = (endpoints: Pick<Endpoints, 'of' | 'next'>): ServiceProxy => {
  const services = new Map<string, Service>()
  const listeners = new Map<string, Map<string, Server>>()

  const reconcile = (name: string) => {
    const spec = services.get(name)?.spec
    const address = spec?.clusterIP
    const wanted = new Map(
      address === undefined || address === '' || address === 'None'
        ? []
        : (spec?.ports ?? [])
            .filter(port => endpoints.of(name, port.name ?? '').length > 0)
            .map(port => [`${address}:${port.port}:${port.name ?? ''}`, { address, port }]),
    )
    const present = listeners.get(name) ?? new Map<string, Server>()
    listeners.set(name, present)
    for (const [key, server] of present) {
      if (wanted.has(key)) continue
      server.close()
      present.delete(key)
    }
    for (const [key, { address: host, port }] of wanted) {
      if (present.has(key)) continue
      present.set(
        key,
        createServer({ allowHalfOpen: true, noDelay: true }, socket =>
          forward(socket, endpoints.next(name, port.name ?? '')),
        )
          .on('error', error => console.error(`cannot listen for Service ${name}: ${error.message}`))
          .listen({ host, port: port.port, backlog: 4096 }),
      )
    }
  }
  return {
    upsert: object => {
      services.set(nameOf(object.metadata), object as Service)
      reconcile(nameOf(object.metadata))
    },
    delete: name => {
      services.delete(name)
      reconcile(name)
      listeners.delete(name)
    },
    changed: reconcile,
    close: () => {
      for (const all of listeners.values()) for (const server of all.values()) server.close()
    },
  }
}

/** Joins a connection with a new one to the endpoint. If one of them breaks, so does the other. */
const forward = (
  client: Socket,
  endpoint: { readonly address: string; readonly port: number } | undefined,
) => {
  if (endpoint === undefined) return void client.resetAndDestroy()
  const server = connect({ host: endpoint.address, port: endpoint.port, allowHalfOpen: true, noDelay: true })
  client.once('error', () => server.resetAndDestroy())
  server.once('error', () => client.resetAndDestroy())
  client.pipe(server)
  server.pipe(client)
}
