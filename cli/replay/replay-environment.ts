import { createApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import type { CallFailure, ProvidedCloud, Provider } from '../../sandbox/providers/provider.ts'
import { createShoots, simulateAccessSecrets } from '../../sandbox/resource-manager/resource-manager.ts'
import type { CloudCall } from '../../sandbox/seed/seed.ts'
import { completeMachines, completeResources } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, httpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { accessOf } from '../open-cluster.ts'
import { clusterBefore } from './cluster-before.ts'
import { createEventClock, type EventClock } from './event-clock.ts'
import { objectOf, relatedObjectsOf } from './related-objects.ts'
import { sameBytes } from './same-bytes.ts'

export interface ReplayCloud {
  readonly provider: Provider
  /** Its address. Default: it is simulated, in memory. */
  readonly endpoint?: string
  /** The initial state of a simulated cloud. Default: the resources that the events need. */
  readonly state?: unknown
}

export interface ReplayEnvironmentOptions {
  /** Default: an in-memory API server. */
  readonly kubeconfig?: string
  readonly clouds: readonly ReplayCloud[]
  /** The objects of the events: resources that were created in another account may contain its number. */
  readonly recorded?: readonly (KubernetesObject | undefined)[]
  /** Other objects for the events: their Clusters. Missing ones are generated. */
  readonly objects?: readonly KubernetesObject[]
}

/** The environment in which the events of one file are replayed. */
export interface ReplayEnvironment {
  readonly clock: EventClock
  readonly kubernetes: Kubernetes
  readonly cloud: (provider: string) => CloudOnStage
  /**
   * Creates everything for an event. Renames resources of the simulated cloud to the names in the object's status.
   * `later`: the object of a later event; the shoot is as it was before that. `beside`: objects of this event, such as
   * its Cluster; those of the options go before.
   */
  readonly prepare: (
    event: ExtensionEvent,
    provider: string,
    given?: { readonly later?: KubernetesObject | undefined; readonly beside?: readonly KubernetesObject[] },
  ) => void
  /**
   * Simulates other controllers between two steps: machines for Workers, applied ManagedResources, and for
   * ControlPlanes a reachable shoot. A live seed has the real ones.
   */
  readonly simulateOthers: (kind: KindName) => Promise<void>
  readonly close: () => Promise<void>
}

export interface CloudOnStage {
  readonly provider: Pick<Provider, 'name' | 'title' | 'credentials' | 'cluster'>
  /** The input for the functions of the provider. */
  readonly connection: unknown
  /** True if the provider has a cloud. */
  readonly isThere: boolean
  readonly onCall: (listener: (call: CloudCall) => void) => void
  /** True if it starts with only the resources that an object needs. */
  readonly startsEmpty: boolean
  /**
   * Makes calls of a simulated cloud fail as recorded, each at its place among the calls of its operation. The returned
   * function withdraws what has not occurred.
   */
  readonly failAgain: (failures: readonly CallFailure[]) => () => void
  /** Returns its state; undefined if it is not simulated. */
  readonly snapshot: () => object | undefined
}

/** Creates the environment. Throws a `UsageError` for an invalid kubeconfig. */
export const createReplayEnvironment = async (
  options: ReplayEnvironmentOptions,
): Promise<ReplayEnvironment> => {
  const live = options.kubeconfig !== undefined
  // Clients of a live cluster read the times too, so they must be real.
  const simulated = options.clouds.every(({ endpoint }) => endpoint === undefined)
  const clock: EventClock = live
    ? { ...systemClock, moveTo: () => {} }
    : createEventClock({ sleepRate: simulated ? 0.05 : 1 })
  const clouds = new Map<string, OpenCloud>()
  for (const cloud of options.clouds)
    clouds.set(cloud.provider.name, await openCloud(cloud, { clock, live, recorded: options.recorded ?? [] }))
  const cloudOf = (provider: string): OpenCloud => clouds.get(provider) ?? noCloud(provider, live)
  const cluster = live
    ? await liveCluster(options.kubeconfig, clock)
    : memoryCluster(clock, options.objects ?? [])
  return {
    clock,
    kubernetes: cluster.kubernetes,
    cloud: cloudOf,
    prepare: (event, provider, { later, beside = [] } = {}) => {
      clock.moveTo(Date.parse(event.time))
      if (event.data === undefined) return
      const cloud = cloudOf(provider)
      const { before, shoot } = cluster.place(event, event.data, cloud.provider, beside, later)
      cloud.prepare(event.data, before, shoot)
    },
    simulateOthers: cluster.simulateOthers,
    close: cluster.close,
  }
}

type OpenCloud = CloudOnStage & Pick<ProvidedCloud, 'prepare'>

/** For functions in a folder without `provider.ts`: they change only Kubernetes. */
const noCloud = (provider: string, live: boolean): OpenCloud => ({
  provider: { name: provider, title: provider, credentials: {} },
  connection: undefined,
  isThere: false,
  onCall: () => {},
  startsEmpty: !live,
  failAgain: () => () => {},
  snapshot: () => undefined,
  prepare: () => {},
})

/** Creates a simulated cloud, or connects to a real one. */
const openCloud = async (
  { provider, endpoint, state }: ReplayCloud,
  {
    clock,
    live,
    recorded,
  }: {
    readonly clock: EventClock
    readonly live: boolean
    readonly recorded: readonly (KubernetesObject | undefined)[]
  },
): Promise<OpenCloud> => {
  let listener = (_: CloudCall): void => {}
  const common = {
    provider,
    isThere: true,
    onCall: (given: typeof listener) => {
      listener = given
    },
  }
  if (endpoint !== undefined) {
    const connection = await provider.connect({ endpoint, onCall: call => listener(call) })
    return {
      ...common,
      connection,
      startsEmpty: false,
      failAgain: () => () => {},
      snapshot: () => undefined,
      prepare: () => {},
    }
  }
  const cloud = await provider.simulate({ clock, bytes: sameBytes(), state, objects: recorded })
  cloud.onCall(call => listener(call))
  const { connection, snapshot, prepare } = cloud
  const failAgain = cloud.failAgain ?? (() => () => {})
  return { ...common, connection, startsEmpty: !live && state === undefined, failAgain, snapshot, prepare }
}

interface Placed {
  /** The object as it was created. */
  readonly before: KubernetesObject | undefined
  /** The Cluster of its shoot. */
  readonly shoot: KubernetesObject | undefined
}

const memoryCluster = (clock: EventClock, beside: readonly KubernetesObject[]) => {
  const server = createApiServer({ clock, objects: [...allCrds(), ...machineCrds(), ...resourceCrds()] })
  const shoots = createShoots({ clock })
  // Stored behind the API, which would set a new uid and generation.
  const put = (
    { group, plural }: GroupVersionResource,
    object: KubernetesObject,
  ): KubernetesObject | undefined => {
    const { namespace, name } = object.metadata
    const collection = server.store.collection(group === '' ? plural : `${plural}.${group}`)
    const before = collection.get(storeKey(namespace, name))?.object
    collection.put(storeKey(namespace, name), object)
    return before
  }
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  return {
    kubernetes,
    simulateOthers: async (kind: KindName) => {
      if (kind === 'Worker') await completeMachines(kubernetes)
      await completeResources(kubernetes, clock.now())
      if (kind !== 'ControlPlane') return
      for (const { metadata } of (await kubernetes.list(kinds.ControlPlane.resource)).items) {
        const { namespace = '' } = metadata
        await simulateAccessSecrets(kubernetes, namespace, await shoots.open(namespace))
      }
    },
    place: (
      event: ExtensionEvent,
      data: KubernetesObject,
      provider: Pick<Provider, 'credentials' | 'cluster'>,
      ofEvent: readonly KubernetesObject[],
      later?: KubernetesObject,
    ): Placed => {
      const all = [...beside, ...ofEvent]
      const before = later && all.map(one => (one.kind === 'Cluster' ? clusterBefore(one, later) : one))
      const related = relatedObjectsOf(event, data, before ?? all, provider)
      for (const [resource, object] of related) put(resource, object)
      const kind = Object.values(kinds).find(info => info.kind === event.kind)
      const shoot = related.find(([resource]) => resource === clusterKind.resource)?.[1]
      return { before: kind && put(kind.resource, objectOf(data)), shoot }
    },
    close: async () => {
      server.close()
      await shoots.close()
    },
  }
}

const liveCluster = async (file: string, clock: EventClock) => {
  const transport = httpTransport({ access: await accessOf({ kubeconfig: file }) })
  return {
    kubernetes: createKubernetes({ transport: transport.send, clock }),
    simulateOthers: async () => {},
    place: (): Placed => ({ before: undefined, shoot: undefined }),
    close: async () => transport.close(),
  }
}
