import { systemClock } from '../../../../shared/clock/clock.ts'
import { services } from '../../../../shared/kubernetes/core-resources.ts'
import {
  createReflector,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  type ReflectorHandler,
} from '../../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { createEndpoints, nameOf } from './endpoints.ts'
import { startIngressProxy } from './ingress-proxy.ts'
import { type Ingress, pathsByHost, readyStatus, routeOf } from './ingress-routes.ts'
import { startNameServer } from './name-server.ts'
import { type NamedAddresses, serviceNames } from './service-names.ts'
import { createServiceProxy, type Service } from './service-proxy.ts'

export interface NetworkOptions {
  readonly kubernetes: Kubernetes
  /** An address of this machine for the gateway (port 80) and the name server (port 53). */
  readonly address: string
  /** Additional names: those of machines outside. */
  readonly names?: NamedAddresses
  readonly log: Log
}

export interface Network {
  close(): Promise<void>
}

/** The class of Ingresses that this network serves: `ingress-class` in Knative's ConfigMap config-network. */
export const ingressClass = 'trellis.ingress.networking.knative.dev'

/** The name of the gateway. Services of Knative are aliases of it. */
const gatewayName = 'gateway.ingress-trellis.svc.cluster.local'

const endpointSlices: GroupVersionResource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  namespaced: true,
}
const ingresses: GroupVersionResource = {
  group: 'networking.internal.knative.dev',
  version: 'v1alpha1',
  plural: 'ingresses',
  namespaced: true,
}

/**
 * Starts the network of a cluster on this machine: the addresses and names of Services, and the networking layer of
 * Knative Serving. All addresses of Services must be local to this machine.
 */
export const startNetwork = async (options: NetworkOptions): Promise<Network> => {
  const { kubernetes, address, log } = options
  const stopped = new AbortController()
  const present = new Map<string, Service>()
  const known = new Map<string, Ingress>()
  let names: NamedAddresses | undefined
  let paths: ReturnType<typeof pathsByHost> | undefined

  const endpoints = createEndpoints(service => {
    names = undefined
    proxy.changed(service)
  })
  const proxy = createServiceProxy(endpoints)
  const others = new Map([...(options.names ?? []), [gatewayName, [address]]])
  const addressesOf = (service: string) => [
    ...new Set(
      (present.get(service)?.spec.ports ?? []).flatMap(({ name = '' }) =>
        endpoints.of(service, name).map(one => one.address),
      ),
    ),
  ]
  const allNames = () => {
    names ??= serviceNames([...present.values()], addressesOf, others)
    return names
  }

  const report = async (ingress: Ingress) => {
    const status = ingress.status as { readonly observedGeneration?: number } | undefined
    if (status?.observedGeneration === ingress.metadata.generation) return
    const now = new Date(systemClock.now()).toISOString().replace(/\.\d+/, '')
    await kubernetes.patch(
      ingresses,
      ingress.metadata,
      { status: readyStatus(ingress, gatewayName, now) },
      { subresource: 'status' },
    )
  }

  const watch = (resource: GroupVersionResource, handler: ReflectorHandler) =>
    createReflector({ kubernetes, resource, handler, clock: systemClock, log }).run(stopped.signal)
  const portNameOf = (service: string, port: number | string) =>
    typeof port === 'string' ? port : present.get(service)?.spec.ports?.find(one => one.port === port)?.name

  const nameServer = await startNameServer(address, allNames)
  const gateway = await startIngressProxy({
    address,
    port: 80,
    routeOf: request => {
      paths ??= pathsByHost(known.values())
      return routeOf(paths, request, Math.random())
    },
    endpointOf: ({ service, port }) => {
      const name = nameOf(service)
      return endpoints.next(name, portNameOf(name, port) ?? '')
    },
  })
  const watches = [
    watch(services, {
      upsert: object => {
        present.set(nameOf(object.metadata), object as Service)
        names = undefined
        proxy.upsert(object)
      },
      deleted: key => {
        present.delete(nameOf(key))
        names = undefined
        proxy.delete(nameOf(key))
      },
    }),
    watch(endpointSlices, { upsert: endpoints.upsert, deleted: key => endpoints.delete(nameOf(key)) }),
    watch(ingresses, {
      upsert: object => {
        if (!isOurs(object)) return
        known.set(nameOf(object.metadata), object as Ingress)
        paths = undefined
        report(object as Ingress).catch(error =>
          log.warn('cannot report that an Ingress is ready', { ingress: object.metadata.name, error }),
        )
      },
      deleted: key => {
        known.delete(nameOf(key))
        paths = undefined
      },
    }),
  ]
  return {
    close: async () => {
      stopped.abort()
      await Promise.all(watches)
      proxy.close()
      gateway.close()
      nameServer.close()
    },
  }
}

const isOurs = ({ metadata }: KubernetesObject): boolean =>
  metadata.annotations?.['networking.knative.dev/ingress.class'] === ingressClass
