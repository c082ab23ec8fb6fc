import { AsyncLocalStorage } from 'node:async_hooks'
import type { V1Namespace } from '@kubernetes/client-node'
import type { BridgeEvent, ServedTypes } from '../../bridge/bridge.ts'
import { bridgeSettings, type RunningBridge, startBridge } from '../../bridge/bridge.ts'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { type KindName, kindNames } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, Rendered } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { StepLimits, StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import type { BrokerEvent } from '../knative/knative.ts'
import {
  type BrokerName,
  createBroker,
  knativeDefinitions,
  loadManifests,
  ofFunctions,
  type SandboxBroker,
  withManifests,
} from '../knative/knative.ts'
import type { AskedReview, LoggedRequest } from '../kubernetes/kubernetes.ts'
import { type ApiServer, createApiServer } from '../kubernetes/kubernetes.ts'
import type { Shoots } from '../resource-manager/resource-manager.ts'
import { createActivator, type FunctionChange, startersOf } from './activator.ts'
import { functionsAtPaths } from './functions-at-paths.ts'
import { type InProcessOptions, inProcessFunctions, inProcessTogether } from './in-process-functions.ts'
import { type Machines, openMachines } from './machines.ts'
import { createNodeObjects } from './node-objects.ts'
import { openResources, type Resources } from './resources.ts'
import type { RunningFunction, SeedFunction, StartFunction } from './seed-function.ts'
import { servedTypes } from './served-types.ts'
import { type CloudCall, hasCloud, providerOf, type SimulatedClouds } from './simulated-cloud.ts'

export interface SeedOptions<C extends SimulatedClouds = SimulatedClouds> {
  readonly functions: readonly SeedFunction[]
  /** Of the seed; part of the events' source. `sandbox` when absent. */
  readonly name?: string
  readonly clock?: Clock
  readonly log?: Log
  /** 0 or absent: the system chooses. */
  readonly kubernetesPort?: number
  /** The clouds that the functions work on. Several seeds may share one. */
  readonly clouds?: C
  /** By the names of the clouds. 0 or absent: the system chooses. */
  readonly cloudPorts?: Readonly<Partial<Record<keyof C, number>>>
  /** The uid of the next object that is created; random when absent. */
  readonly newUid?: () => string
  /** Files and folders with Broker, Triggers and Services; those of this project when absent. */
  readonly manifests?: readonly string[]
  /** Which of `deploy/knative/profiles` is put on them, so that the broker is one of that class; absent: none. */
  readonly broker?: BrokerName
  /** Objects that exist from the start. */
  readonly objects?: readonly KubernetesObject[]
  /** Settings of the functions that run in this process, by name: `{ clientQps: 100 }`. */
  readonly functionSettings?: Readonly<Record<string, unknown>>
  /** How functions are started; absent: in this process. */
  readonly startFunction?: (seed: SeedPlaces<C>) => StartFunction
  readonly limits?: StepLimits
  /** Factor on the durations of machines and nodes; a hundredth when absent. */
  readonly machineScale?: number
  /** The shoots of several seeds, for one that moves; absent: of this seed alone. */
  readonly shoots?: Shoots
  /** Factor on what the resource manager waits for when something is slow or wrong; a hundredth when absent. */
  readonly resourceScale?: number
  /** Functions without events for so long end; absent: they stay. */
  readonly idleMs?: number
  /** Kinds that the bridge watches; all when absent. */
  readonly kinds?: readonly KindName[]
  /** Called with everything that happens; must not throw. */
  readonly observe?: (event: SeedEvent) => void
}

/** What happens in a seed, by the part in which it happens. */
export type SeedEvent =
  | { readonly part: 'bridge'; readonly event: BridgeEvent }
  | { readonly part: 'broker'; readonly event: BrokerEvent }
  | { readonly part: 'function'; readonly name: string; readonly change: FunctionChange }
  | { readonly part: 'step'; readonly event: ExtensionEvent; readonly outcome: StepOutcome }
  /** A check of health, which is no step. */
  | { readonly part: 'check'; readonly event: ExtensionEvent; readonly outcome: StepOutcome }
  | {
      readonly part: 'cloud'
      readonly cloud: string
      readonly call: CloudCall
      /** The object of the step that makes the call: `DNSRecord shoot--a--b/c`. Absent: another process makes the call. */
      readonly object?: string
    }
  | { readonly part: 'request'; readonly request: LoggedRequest }
  | { readonly part: 'review'; readonly review: AskedReview }
  | {
      readonly part: 'object'
      readonly resource: string
      readonly object: KubernetesObject
      readonly deleted: boolean
    }

/** Where the parts of a seed are. */
export interface SeedPlaces<C extends SimulatedClouds = SimulatedClouds> {
  readonly kubernetesUrl: string
  /** The text of a kubeconfig. */
  readonly kubeconfig: string
  readonly cloudUrls: Readonly<Record<keyof C, string>>
  /** What the process of a function finds in its environment, so that it calls the cloud of its provider. */
  cloudEnvironment(fn: Pick<SeedFunction, 'file'>): Readonly<Record<string, string>>
}

/** A function that comes and goes while the seed runs. */
export interface GuestFunction {
  readonly name: string
  /** Its Trigger and its Service, as YAML. */
  readonly manifest: string
  /** Events wait in the broker until it has started, however long that takes. */
  readonly start: () => Promise<RunningFunction>
}

/** A whole seed in this process. */
export interface Seed<C extends SimulatedClouds = SimulatedClouds> extends SeedPlaces<C> {
  readonly kubernetes: Kubernetes
  readonly server: ApiServer
  /** As they were given: `seed.clouds.aws`. */
  readonly clouds: C
  readonly broker: SandboxBroker
  readonly bridge: RunningBridge['bridge']
  /** Of its `/metrics` and probes, and of reports. */
  readonly bridgeUrl: string
  /** What the machine controller makes of MachineDeployments. */
  readonly machines: Pick<Machines, 'nodes'>
  /** What the resource manager makes of ManagedResources. */
  readonly resources: Pick<Resources, 'shoot'>
  readonly clock: Clock
  /** Whether a function runs, or has scaled to zero. */
  isAwake(name: string): boolean
  /**
   * Has these functions beside its own from now on: events go where their manifests say, and nowhere any more by a manifest
   * whose function is not here. Throws a `ManifestError`.
   */
  host(guests: readonly GuestFunction[]): void
  /** Ends the process of a function once it has answered; its next event starts it as it then is. */
  restart(name: string): Promise<void>
  /** Ends everything that the seed started, in order, and resolves when nothing is left. */
  close(): Promise<void>
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const manifests = new URL('../../deploy/knative/base', import.meta.url).pathname
const profiles = new URL('../../deploy/knative/profiles', import.meta.url).pathname

/** Where the bridge and the functions of `knative/` live. */
const ownNamespace: Rendered<V1Namespace> = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'trellis' },
}

/**
 * Starts a seed: API server with the CRDs of Gardener's extensions, of machines, of ManagedResources and of Knative, the
 * clouds that are given, broker with the manifests of `knative/`, bridge, and functions that wake up with their first event.
 *
 * @example
 * const seed = await startSeed({ functions, clouds: { toy: simulatedToy() } })
 * await seed.kubernetes.create(kinds.DNSRecord.resource, record)
 * await seed.close()
 */
export const startSeed = async <C extends SimulatedClouds = SimulatedClouds>(
  options: SeedOptions<C>,
): Promise<Seed<C>> => {
  const { clock = systemClock, log = silent, name = 'sandbox', observe = () => {} } = options
  const server = createApiServer({
    clock,
    objects: [
      ...allCrds(),
      ...machineCrds(),
      ...resourceCrds(),
      ...knativeDefinitions(),
      ownNamespace,
      ...(options.objects ?? []),
    ],
    ...(options.newUid && { newUid: options.newUid }),
    onReview: review => observe({ part: 'review', review }),
  })
  // Without any there is no name to look one up by.
  const clouds = options.clouds ?? ({} as C)
  const undo: (() => unknown)[] = []
  /** The object of the event that a function in this process is handling. */
  const handled = new AsyncLocalStorage<string>()
  const close = async () => {
    for (const step of undo.reverse().splice(0)) await step()
  }
  try {
    // One after the other, so that whatever fails finds the others in the list of what has to end.
    undo.push(server.close)
    const kubernetesListener = await server.listen({ port: options.kubernetesPort ?? 0 })
    undo.push(kubernetesListener.close)
    const urls = new Map<string, string>()
    for (const [cloud, simulated] of Object.entries(clouds)) {
      const listener = await simulated.listen({ port: options.cloudPorts?.[cloud] ?? 0 })
      undo.push(listener.close)
      urls.set(cloud, listener.url)
    }
    const kubernetes = createKubernetes({ transport: server.transport, clock })
    const where: SeedPlaces<C> = {
      kubernetesUrl: kubernetesListener.url,
      kubeconfig: server.kubeconfig(kubernetesListener.url),
      // One for each of the clouds.
      cloudUrls: Object.fromEntries(urls) as Record<keyof C, string>,
      cloudEnvironment: fn => {
        const provider = providerOf(fn)
        const url = urls.get(provider)
        return url === undefined ? {} : (clouds[provider]?.environment(url) ?? {})
      },
    }
    undo.push(
      server.store.subscribe((resource, { type, entry }) => {
        observe({ part: 'object', resource, object: entry.object, deleted: type === 'DELETED' })
      }),
    )
    undo.push(server.requests.onRequest(request => observe({ part: 'request', request })))
    for (const [cloud, simulated] of Object.entries(clouds))
      undo.push(
        simulated.onCall(call => {
          const object = handled.getStore()
          observe({ part: 'cloud', cloud, call, ...(object !== undefined && { object }) })
        }),
      )

    const nodeObjects = createNodeObjects({ clock, log, nodes: namespace => machines.nodes(namespace) })
    const machines = openMachines({
      server,
      clouds,
      clock,
      log,
      scale: options.machineScale ?? 0.01,
      nodesChanged: nodeObjects.changed,
    })
    undo.push(machines.close)
    const resources = openResources({
      server,
      clock,
      log,
      scale: options.resourceScale ?? 0.01,
      opened: nodeObjects.opened,
      ...(options.shoots && { shoots: options.shoots }),
    })
    undo.push(resources.close, nodeObjects.close)

    const inProcessOptions = (fn: SeedFunction): InProcessOptions => {
      const cloud = clouds[providerOf(fn)]
      // It would call the real one.
      if (cloud === undefined && hasCloud(fn))
        throw new Error(`the seed has no cloud for the function ${fn.name}`)
      return {
        kubernetes,
        connection: cloud?.connection,
        clock,
        log,
        settings: options.functionSettings ?? {},
        handled,
        ...(options.limits && { limits: options.limits }),
        onOutcome: (outcome, event) =>
          observe({ part: event.operation === 'healthcheck' ? 'check' : 'step', event, outcome }),
      }
    }
    const startAlone: StartFunction =
      options.startFunction?.(where) ?? (async fn => inProcessFunctions(inProcessOptions(fn))(fn))
    const cluster = await loadManifests(
      options.manifests ?? [manifests],
      options.broker && `${profiles}/${options.broker}`,
    )
    const alone = startersOf(options.functions, startAlone)
    const ownStarter = (service: string) => {
      const together = functionsAtPaths(cluster, service, options.functions)
      const [first] = together
      if (first === undefined) return alone(service)
      if (options.startFunction)
        throw new Error(`functions share the process ${service}: they can only run in this one`)
      return () => inProcessTogether(together, inProcessOptions(first))
    }
    let guests: readonly GuestFunction[] = []
    const activator = createActivator({
      starterOf: name => guests.find(guest => guest.name === name)?.start ?? ownStarter(name),
      clock,
      idleMs: options.idleMs,
      onChange: (change, of) => observe({ part: 'function', name: of, change }),
    })
    undo.push(activator.close)

    const broker = await createBroker({
      manifests: cluster,
      resolve: service => activator.url(service),
      onAnswered: activator.answered,
      clock,
      log,
    })
    undo.push(broker.close)
    undo.push(broker.onEvent(event => observe({ part: 'broker', event })))

    const served: { -readonly [K in keyof ServedTypes]: ServedTypes[K] } = servedTypes(cluster)
    const running = await startBridge({
      settings: parseSettings(bridgeSettings, {
        flags: {
          seed: name,
          sink: broker.ingress('trellis', 'default'),
          host: '127.0.0.1',
          port: 0,
          classes: 'shoot,seed,garden',
          ...(options.kinds && { kinds: options.kinds.join(',') }),
        },
        env: {},
      }),
      kubernetes,
      clock,
      log,
      served,
      observe: event => observe({ part: 'bridge', event }),
    })
    undo.push(running.close)
    return {
      ...where,
      kubernetes,
      server,
      clouds,
      broker,
      bridge: running.bridge,
      bridgeUrl: `http://127.0.0.1:${running.port}`,
      machines,
      resources,
      clock,
      isAwake: activator.isAwake,
      host: given => {
        const own = new Set(options.functions.map(fn => fn.name))
        const changed = withManifests(
          ofFunctions(cluster, name => own.has(name)),
          given.map(({ name, manifest }) => ({ name, text: manifest })),
        )
        guests = given
        broker.apply(changed)
        for (const kind of kindNames) delete served[kind]
        Object.assign(served, servedTypes(changed))
      },
      restart: activator.restart,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export type { AskedReview } from '../kubernetes/kubernetes.ts'
export { type FunctionProcess, functionProcesses, type ProcessOptions } from './function-processes.ts'
export {
  type CloudCall,
  hasCloud,
  providerOf,
  type SimulatedCloud,
  type SimulatedClouds,
} from './simulated-cloud.ts'
export type { RunningFunction, SeedFunction, StartFunction }

// For the suites of other rooms, and benchmarks.

export { createActivator, startersOf } from './activator.ts'
export { compileCache, ProcessEndedError } from './function-processes.ts'
export { inProcessFunctions } from './in-process-functions.ts'
