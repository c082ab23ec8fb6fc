import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** The ready endpoints of all Services, from their EndpointSlices. */
export interface Endpoints {
  upsert(slice: KubernetesObject): void
  delete(name: string): void
  /** Returns the endpoints of a port, by its name. Empty name: the only port. */
  of(service: string, port: string): readonly Endpoint[]
  /** Returns one of them after the other. Undefined: none is ready. */
  next(service: string, port: string): Endpoint | undefined
}

interface EndpointSlice extends KubernetesObject {
  readonly addressType?: string
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null
  readonly endpoints?:
    | readonly {
        readonly addresses: readonly string[]
        readonly conditions?: { readonly ready?: boolean }
      }[]
    | null
}

/** Names an object for lookups: `trellis/bridge`. */
export const nameOf = ({
  namespace = '',
  name,
}: {
  readonly namespace?: string
  readonly name: string
}): string => `${namespace}/${name}`

/** `changed` is called with the name of a Service when its endpoints may have changed. */
export const createEndpoints = (changed: (service: string) => void): Endpoints => {
  const services = new Map<string, Map<string, EndpointSlice>>()
  const serviceOfSlice = new Map<string, string>()
  const ports = new Map<string, Map<string, readonly Endpoint[]>>()
  let chosen = 0

  const replaced = (service: string) => {
    ports.set(service, endpointsByPort([...(services.get(service)?.values() ?? [])]))
    changed(service)
  }
  const of = (service: string, port: string) => ports.get(service)?.get(port) ?? []
  return {
    upsert: object => {
      const slice = object as EndpointSlice
      const { namespace = '', labels } = slice.metadata
      const name = labels?.['kubernetes.io/service-name']
      if (name === undefined || slice.addressType !== 'IPv4') return
      const service = nameOf({ namespace, name })
      const slices = services.get(service) ?? new Map<string, EndpointSlice>()
      services.set(service, slices.set(nameOf(slice.metadata), slice))
      serviceOfSlice.set(nameOf(slice.metadata), service)
      replaced(service)
    },
    delete: slice => {
      const service = serviceOfSlice.get(slice)
      if (service === undefined) return
      serviceOfSlice.delete(slice)
      services.get(service)?.delete(slice)
      replaced(service)
    },
    of,
    next: (service, port) => {
      const all = of(service, port)
      chosen += 1
      return all[chosen % all.length]
    },
  }
}

const endpointsByPort = (
  slices: readonly EndpointSlice[],
): ReadonlyMap<string, readonly Endpoint[]> & Map<string, readonly Endpoint[]> => {
  const found = slices.flatMap(({ ports, endpoints }) =>
    (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses: [address = ''] }) =>
        (ports ?? []).map(({ name = '', port = 0 }) => ({ name, endpoint: { address, port } })),
      ),
  )
  const grouped = Map.groupBy(found, ({ name }) => name)
  return new Map([...grouped].map(([name, all]) => [name, all.map(({ endpoint }) => endpoint)]))
}
