import { readFile } from 'node:fs/promises'
import { createApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import type { ProvidedCloud, Provider } from '../../sandbox/providers/provider.ts'
import { createShoots, keepAccessSecrets } from '../../sandbox/resource-manager/resource-manager.ts'
import type { CloudCall } from '../../sandbox/seed/seed.ts'
import { settleMachines, settleResources } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, httpTransport, kubeconfigAccess } from '../../shared/kubernetes/kubernetes.ts'
import { clusterBefore } from './cluster-before.ts'
import { createEventClock, type EventClock } from './event-clock.ts'
import { objectOf, relatedObjectsOf } from './related-objects.ts'
import { sameBytes } from './same-bytes.ts'

/** A cloud of a replay. */
export interface ReplayCloud {
  readonly provider: Provider
  /** Where it is; absent: it is simulated, in memory. */
  readonly endpoint?: string
  /** What a simulated one starts with; absent: what the events need. */
  readonly state?: unknown
}

export interface ReplayEnvironmentOptions {
  /** Absent: an API server in memory. */
  readonly kubeconfig?: string
  readonly clouds: readonly ReplayCloud[]
  /** The objects of the events: what was made for them in another account may tell its number. */
  readonly recorded?: readonly (KubernetesObject | undefined)[]
  /** What stands beside the objects of the events: their Clusters. Where they lack, they are made up. */
  readonly objects?: readonly KubernetesObject[]
}

/** Where the events of one file are played. */
export interface ReplayEnvironment {
  readonly clock: EventClock
  readonly kubernetes: Kubernetes
  /** The cloud of a provider. */
  readonly cloud: (provider: string) => CloudOnStage
  /**
   * Puts everything in place for an event. What the simulated cloud of the provider has given another name than the
   * object's status says, it renames. `later`: the object of an event that comes after it, whose shoot is as it was before that.
   */
  readonly prepare: (event: ExtensionEvent, provider: string, later?: KubernetesObject) => void
  /**
   * Lets happen what others make of the objects of a kind between two steps: machines of Workers, and what resource managers make of ManagedResources,
   * and of ControlPlanes a shoot to be reached. A live seed has others for it.
   */
  readonly settle: (kind: KindName) => Promise<void>
  readonly close: () => Promise<void>
}

/** A cloud while events are played. */
export interface CloudOnStage {
  readonly provider: Pick<Provider, 'name' | 'title' | 'credentials' | 'cluster'>
  /** What the functions of the provider are created with. */
  readonly connection: unknown
  /** Whether the provider has one. */
  readonly isThere: boolean
  /** Called with every call from now on. */
  readonly onCall: (listener: (call: CloudCall) => void) => void
  /** Whether it starts with nothing but what an object needs. */
  readonly startsEmpty: boolean
  /** What it holds; undefined when it is not simulated. */
  readonly snapshot: () => object | undefined
}

/** Sets the stage. Throws a `UsageError` for a kubeconfig that cannot be used. */
export const createReplayEnvironment = async (
  options: ReplayEnvironmentOptions,
): Promise<ReplayEnvironment> => {
  const live = options.kubeconfig !== undefined
  // In a live cluster others read the times too, so they must be the real ones.
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
    prepare: (event, provider, later) => {
      clock.moveTo(Date.parse(event.time))
      if (event.data === undefined) return
      const cloud = cloudOf(provider)
      const { before, shoot } = cluster.place(event, event.data, cloud.provider, later)
      cloud.prepare(event.data, before, shoot)
    },
    settle: cluster.settle,
    close: cluster.close,
  }
}

type OpenCloud = CloudOnStage & Pick<ProvidedCloud, 'prepare'>

/** For functions of a folder that has no `provider.ts`: all that they change is in Kubernetes. */
const noCloud = (provider: string, live: boolean): OpenCloud => ({
  provider: { name: provider, title: provider, credentials: {} },
  connection: undefined,
  isThere: false,
  onCall: () => {},
  startsEmpty: !live,
  snapshot: () => undefined,
  prepare: () => {},
})

/** Makes a cloud, or finds it. */
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
    return { ...common, connection, startsEmpty: false, snapshot: () => undefined, prepare: () => {} }
  }
  const cloud = await provider.simulate({ clock, bytes: sameBytes(), state, objects: recorded })
  cloud.onCall(call => listener(call))
  const { connection, snapshot, prepare } = cloud
  return { ...common, connection, startsEmpty: !live && state === undefined, snapshot, prepare }
}

interface Placed {
  /** The object as it was. */
  readonly before: KubernetesObject | undefined
  /** The Cluster of its shoot. */
  readonly shoot: KubernetesObject | undefined
}

const memoryCluster = (clock: EventClock, beside: readonly KubernetesObject[]) => {
  const server = createApiServer({ clock, objects: [...allCrds(), ...machineCrds(), ...resourceCrds()] })
  const shoots = createShoots({ clock })
  // Behind the API, which would give the object a uid and a generation of its own.
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
    settle: async (kind: KindName) => {
      if (kind === 'Worker') await settleMachines(kubernetes)
      await settleResources(kubernetes, clock.now())
      if (kind !== 'ControlPlane') return
      for (const { metadata } of (await kubernetes.list(kinds.ControlPlane.resource)).items) {
        const { namespace = '' } = metadata
        await keepAccessSecrets(kubernetes, namespace, await shoots.open(namespace))
      }
    },
    place: (
      event: ExtensionEvent,
      data: KubernetesObject,
      provider: Pick<Provider, 'credentials' | 'cluster'>,
      later?: KubernetesObject,
    ): Placed => {
      const before = later && beside.map(one => (one.kind === 'Cluster' ? clusterBefore(one, later) : one))
      const related = relatedObjectsOf(event, data, before ?? beside, provider)
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
  const transport = httpTransport({ access: await accessOf(file, clock) })
  return {
    kubernetes: createKubernetes({ transport: transport.send, clock }),
    settle: async () => {},
    place: (): Placed => ({ before: undefined, shoot: undefined }),
    close: async () => transport.close(),
  }
}

const accessOf = async (file: string, clock: EventClock) => {
  try {
    await readFile(file)
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${(error as { readonly code?: string }).code})`)
  }
  try {
    return await kubeconfigAccess({ file, clock })
  } catch {
    // The reason may quote the file, which holds credentials.
    throw new UsageError(`${file}: not a usable kubeconfig`)
  }
}
