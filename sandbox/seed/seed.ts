import { AsyncLocalStorage } from 'node:async_hooks'
import type { V1Namespace } from '@kubernetes/client-node'
import type { BridgeEvent, ServedTypes } from '../../bridge/bridge.ts'
import { bridgeSettings, type RunningBridge, startBridge } from '../../bridge/bridge.ts'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { extensionClasses } from '../../shared/contract/constants.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, Rendered } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { StepLimits, StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import type { ProgramStarter, RunnerEvent } from '../../shared/runner/runner.ts'
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
import { openControllers } from './controllers.ts'
import { functionsAtPaths } from './functions-at-paths.ts'
import type { GuestFunction } from './guest-function.ts'
import { type InProcessOptions, inProcessFunctions, inProcessTogether } from './in-process-functions.ts'
import type { Machines } from './machines.ts'
import type { Resources } from './resources.ts'
import type { RunningFunction, SeedFunction, StartFunction } from './seed-function.ts'
import { changeOf, inProcessStarter, runnerFlags, type WatchedOptions, watchedFlags } from './seed-process.ts'
import { servedTypes } from './served-types.ts'
import { type CloudCall, hasCloud, providerOf, type SimulatedClouds } from './simulated-cloud.ts'
import { createStepReports, type ReportedTo } from './step-reports.ts'

/** The parts of a seed. */
export interface SeedOptions<C extends SimulatedClouds = SimulatedClouds> extends WatchedOptions {
  readonly functions: readonly SeedFunction[]
  /** Name of the seed, part of the events' source. Default: `sandbox`. */
  readonly name?: string
  readonly clock?: Clock
  readonly log?: Log
  /** Port 0 or absent: the system chooses one. */
  readonly kubernetesPort?: number
  /** The clouds of the functions. Several seeds may share one. */
  readonly clouds?: C
  /** Ports by cloud name. 0 or absent: the system chooses. */
  readonly cloudPorts?: Readonly<Partial<Record<keyof C, number>>>
  /** Returns the uid of the next created object. Default: random. */
  readonly newUid?: () => string
  /** Files and folders with Broker, Triggers and Services. Default: those of this project. */
  readonly manifests?: readonly string[]
  /** The profile of `knative/profiles` to apply to the manifests; it sets the broker class. Default: none. */
  readonly broker?: BrokerName
  /**
   * The bridge runs the functions itself, without a broker, as a seed process does: one program for each provider.
   * `starter`: starts the programs; default: in this process.
   */
  readonly seedProcess?: { readonly starter?: (seed: SeedPlaces<C>) => ProgramStarter }
  /** Initial objects. */
  readonly objects?: readonly KubernetesObject[]
  /** Settings of the functions in this process, by name. */
  readonly functionSettings?: Readonly<Record<string, unknown>>
  /** Starts functions. Default: in this process. */
  readonly startFunction?: (seed: SeedPlaces<C>) => StartFunction
  readonly limits?: StepLimits
  /** Factor on the durations of machines and nodes. Default: 0.01. */
  readonly machineScale?: number
  /** Shoots that several seeds share, for a shoot that moves. Default: of this seed only. */
  readonly shoots?: Shoots
  /** Factor on the waits of the resource manager for slow or failing objects. Default: 0.01. */
  readonly resourceScale?: number
  /** Functions in this process report their steps to the bridge. Default: they do not. */
  readonly reportsSteps?: boolean
  /** Functions end after this time without events, in milliseconds. Absent: they never end. */
  readonly idleMs?: number
  /** Called with every event of the seed. Must not throw. */
  readonly observe?: (event: SeedEvent) => void
}

/** Something that happened in a seed, for logs and tests. */
export type SeedEvent =
  | { readonly part: 'bridge'; readonly event: BridgeEvent }
  | { readonly part: 'broker'; readonly event: BrokerEvent }
  /** Only of a seed process. */
  | { readonly part: 'runner'; readonly event: RunnerEvent }
  | { readonly part: 'function'; readonly name: string; readonly change: FunctionChange }
  | { readonly part: 'step'; readonly event: ExtensionEvent; readonly outcome: StepOutcome }
  /** A health check, which is not a step. */
  | { readonly part: 'check'; readonly event: ExtensionEvent; readonly outcome: StepOutcome }
  | {
      readonly part: 'cloud'
      readonly cloud: string
      readonly call: CloudCall
      /**
       * The object of the step that makes the call: `DNSRecord shoot--a--b/c`. Absent: another process makes the call.
       */
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

/** Addresses of the parts of a seed. */
export interface SeedPlaces<C extends SimulatedClouds = SimulatedClouds> {
  readonly kubernetesUrl: string
  /** The text of a kubeconfig. */
  readonly kubeconfig: string
  readonly cloudUrls: Readonly<Record<keyof C, string>>
  /** Returns the environment with which a function's process calls the cloud of its provider. */
  cloudEnvironment(fn: Pick<SeedFunction, 'file'>): Readonly<Record<string, string>>
}

/** A complete seed in this process. */
export interface Seed<C extends SimulatedClouds = SimulatedClouds> extends SeedPlaces<C> {
  readonly kubernetes: Kubernetes
  readonly server: ApiServer
  /** The clouds of the options: `seed.clouds.aws`. */
  readonly clouds: C
  readonly broker: SandboxBroker
  readonly bridge: RunningBridge['bridge']
  /** URL of the bridge's `/metrics`, probes and reports. */
  readonly bridgeUrl: string
  /** Returns the token with which a function proves its reports. */
  readonly reportToken: (program: string) => string
  /** Nodes that the machine controller creates for MachineDeployments. */
  readonly machines: Pick<Machines, 'nodes'>
  /** API servers of the shoots that ManagedResources use. */
  readonly resources: Pick<Resources, 'shoot'>
  readonly clock: Clock
  /** Returns true if the function runs, false if it has scaled to zero. */
  isAwake(name: string): boolean
  /**
   * Replaces the guest functions of the seed. Events are sent as their manifests say; a manifest without its function
   * gets no events. Throws a `ManifestError`.
   */
  host(guests: readonly GuestFunction[]): void
  /** Ends the process of a function once it has answered. Its next event starts the current version. */
  restart(name: string): Promise<void>
  /** Ends everything that the seed started, in order. Resolves when all has ended. */
  close(): Promise<void>
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const manifests = new URL('../../knative/base', import.meta.url).pathname
const profiles = new URL('../../knative/profiles', import.meta.url).pathname

/** Namespace of the bridge and the functions of `knative/`. */
const ownNamespace: Rendered<V1Namespace> = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'trellis' },
}

/**
 * Starts a seed: the API server with the CRDs of Gardener's extensions, machines, ManagedResources and Knative; the
 * given clouds; the broker with the manifests of `knative/`; the bridge; and functions that start with their first
 * event.
 *
 * @example
 * const running = await startSeed({ functions: [{ ...definition, file: 'functions/acme/dnsrecord/function.ts' }] })
 * await running.kubernetes.list(configMaps)
 * await running.close()
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
  // Without clouds, C has no keys to look up.
  const clouds = options.clouds ?? ({} as C)
  const undo: (() => unknown)[] = []
  /** The object of the event that a function in this process is handling. */
  const handled = new AsyncLocalStorage<string>()
  const close = async () => {
    for (const step of undo.reverse().splice(0)) await step()
  }
  try {
    // Sequential: if a start fails, `undo` has everything that was started before it.
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
      // One URL per cloud.
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

    const controllers = openControllers({
      transport: server.controllerTransport,
      changes: server.store.subscribe,
      clouds,
      clock,
      log,
      machineScale: options.machineScale ?? 0.01,
      resourceScale: options.resourceScale ?? 0.01,
      ...(options.shoots && { shoots: options.shoots }),
    })
    undo.push(controllers.close)

    let reportedTo: ReportedTo | undefined
    const steps = createStepReports(() => reportedTo)
    undo.push(steps.close)
    const inProcessOptions = (fn: SeedFunction): InProcessOptions => {
      const cloud = clouds[providerOf(fn)]
      // Without a simulated cloud the function would call the real one.
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
        ...(options.reportsSteps && { onStep: steps.onStep }),
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
        throw new Error(`functions share the process ${service}: they can run only in this process`)
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
      // The bridge is the only Service in the manifests.
      resolveUri: async uri => `${reportedTo?.bridgeUrl}${new URL(uri).pathname}`,
      onAnswered: activator.answered,
      clock,
      log,
    })
    undo.push(broker.close)
    undo.push(broker.onEvent(event => observe({ part: 'broker', event })))

    const delivery =
      options.seedProcess === undefined
        ? { sink: broker.ingress('trellis', 'default') }
        : runnerFlags(options.functions, options.idleMs)
    const starter =
      options.seedProcess?.starter?.(where) ??
      inProcessStarter({ functions: options.functions, optionsOf: inProcessOptions, clock })
    const served: { -readonly [K in keyof ServedTypes]: ServedTypes[K] } = servedTypes(cluster)
    const running = await startBridge({
      settings: parseSettings(bridgeSettings, {
        flags: {
          seed: name,
          ...delivery,
          address: '127.0.0.1',
          port: 0,
          ...watchedFlags(options),
        },
        env: {},
      }),
      kubernetes,
      clock,
      log,
      served,
      classes: extensionClasses,
      observe: event => observe({ part: 'bridge', event }),
      starter,
      observeRunner: event => {
        observe({ part: 'runner', event })
        const change = changeOf(event)
        if (change !== undefined && 'program' in event)
          observe({ part: 'function', name: event.program, change })
      },
    })
    undo.push(running.close)
    reportedTo = { bridgeUrl: `http://127.0.0.1:${running.port}`, reportToken: running.reportToken }
    return {
      ...where,
      kubernetes,
      server,
      clouds,
      broker,
      bridge: running.bridge,
      ...reportedTo,
      machines: controllers.machines,
      resources: controllers.resources,
      clock,
      isAwake: running.isAwake ?? activator.isAwake,
      host: given => {
        if (options.seedProcess !== undefined)
          throw new Error('a seed process has a fixed list of functions: use a broker for others')
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
export { createNodeObjects } from './node-objects.ts'
export {
  type CloudCall,
  hasCloud,
  providerOf,
  type SimulatedCloud,
  type SimulatedClouds,
} from './simulated-cloud.ts'
export type { RunningFunction, SeedFunction, StartFunction }

// For the command line and the suites of other rooms.

export { createActivator, startersOf } from './activator.ts'
export { openControllers } from './controllers.ts'
export { compileCache, ProcessEndedError } from './function-processes.ts'
export { functionsAtPaths } from './functions-at-paths.ts'
export type { GuestFunction } from './guest-function.ts'
export { inProcessFunctions } from './in-process-functions.ts'
export { runnerFlags } from './seed-process.ts'
export { servedTypes } from './served-types.ts'
