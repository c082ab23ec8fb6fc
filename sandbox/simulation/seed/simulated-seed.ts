import type { V1Namespace } from '@kubernetes/client-node'
import { readDeadLetter, undeliveredPath } from '../../../bridge/bridge.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { ownHealthOf } from '../../../shared/health/health.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
  type Rendered,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { LeaseTimes } from '../../../shared/leadership/election.ts'
import type { StepLimits } from '../../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../../shared/log/log.ts'
import {
  type BrokerCore,
  type BrokerName,
  createBrokerCore,
  ingressStatus,
  knativeDefinitions,
  type Manifests,
  readMessage,
} from '../../knative/knative.ts'
import {
  type ApiServer,
  createApiServer,
  type EtcdBackup,
  type RestoreOptions,
  restoreServer,
} from '../../kubernetes/kubernetes.ts'
import type { Shoots } from '../../resource-manager/resource-manager.ts'
import {
  functionsAtPaths,
  openControllers,
  providerOf,
  runnerFlags,
  type SeedFunction,
  type SimulatedClouds,
  servedTypes,
} from '../../seed/seed.ts'
import type { Invariants } from '../invariants/invariants.ts'
import type { ConnectProcess } from '../process/connect-process.ts'
import type { Fates } from '../process/exchange.ts'
import { runningCode } from '../process/running-code.ts'
import {
  type AnswerPost,
  brokenConnection,
  refusedConnection,
  simulatedPost,
} from '../process/simulated-post.ts'
import { createProcess, type SimulatedProcess } from '../process/simulated-process.ts'
import type { Random } from '../random.ts'
import type { SimulationClock } from '../simulation-clock.ts'
import type { Trace } from '../trace.ts'
import { type BridgeSlot, startBridgeSlot } from './bridge-slot.ts'
import { type FunctionInstance, startInstance } from './function-instance.ts'
import { createInstances } from './instances.ts'
import { simulatedStarter } from './simulated-starter.ts'

/** How events reach functions. */
export type DeliveryName = BrokerName | 'seed process'

export interface SimulatedSeedOptions {
  readonly name: string
  readonly clock: SimulationClock
  readonly random: Random
  readonly trace: Trace
  readonly fates: Fates
  /** Observes the seed. Default: no one does. */
  readonly invariants?: Invariants
  readonly functions: readonly SeedFunction[]
  /** The most events at a time, by function. */
  readonly concurrency: ReadonlyMap<string, number>
  /** Settings of the functions, by name. */
  readonly functionSettings?: Readonly<Record<string, unknown>>
  /** Clouds by provider, for the machine controller. */
  readonly clouds: SimulatedClouds
  /** The connections of functions to the clouds, by provider. */
  readonly connections: Readonly<Record<string, ConnectProcess>>
  /** Manifests with the Broker of the delivery. For a seed process those of any broker. */
  readonly manifests: Manifests
  readonly delivery: DeliveryName
  /** Number of replicas of the bridge. Default: 2. */
  readonly bridges?: number
  /** The most instances of a function. Default: 2. */
  readonly instances?: number
  /** An instance ends after this time without events, in ms. Default: 60,000. */
  readonly idleMs?: number
  /** Time of a cold start, in ms. Default: 50 to 1,500 at random. */
  readonly coldMs?: () => number
  /** `none`: a bridge is always the leader. Only for one replica. Default: those of the bridge. */
  readonly leaseTimes?: LeaseTimes | 'none'
  readonly limits?: StepLimits
  /** Initial objects. */
  readonly objects?: readonly KubernetesObject[]
  /** All objects, from another seed. Default: those of `objects`. */
  readonly backup?: EtcdBackup
  /** Shared by several seeds, for shoots that move. */
  readonly shoots?: Shoots
  /** Factor on the durations of machines. Default: 1. */
  readonly machineScale?: number
  /** Factor on the waits of the resource manager. Default: 1. */
  readonly resourceScale?: number
  /** The way of the imitated controllers to the API server, from that without delays. Default: the same. */
  readonly controllerWay?: (transport: Transport) => Transport
  /** The way of a process to the API server. Default: its transport. */
  readonly transportOf?: (process: string, server: ApiServer) => Transport
}

/** A whole seed on a virtual clock, without sockets. */
export interface SimulatedSeed {
  readonly name: string
  readonly server: ApiServer
  /** A client without faults, for people and Gardener's controllers. */
  readonly kubernetes: Kubernetes
  readonly broker: BrokerCore
  readonly machines: ReturnType<typeof openControllers>['machines']
  readonly resources: ReturnType<typeof openControllers>['resources']
  /** The replicas of the bridge. One that was killed is started again by `restart`. */
  readonly bridges: () => readonly BridgeSlot[]
  /** Running processes of functions. */
  readonly instances: () => readonly FunctionInstance[]
  /** Starts a replica again whose process has ended. */
  restart(replica: number): void
  /**
   * Returns etcd to a backup. The imitated controllers start again, as an operator makes them: plain restores use
   * versions twice, and hide changes from watches (kubernetes/kubernetes#107457). Bridges and functions do not.
   */
  restoreEtcd(backup: EtcdBackup, options?: RestoreOptions): void
  close(): Promise<void>
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const ownNamespace: Rendered<V1Namespace> = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'trellis' },
}

/** Five times those of a bridge: elections would be most of the work of a simulation. */
const defaultLeaseTimes: LeaseTimes = { durationMs: 75_000, renewMs: 50_000, retryMs: 10_000 }

/** Parsed once for all seeds. */
const definitions = [...allCrds(), ...machineCrds(), ...resourceCrds(), ...knativeDefinitions()]

export const createSimulatedSeed = (options: SimulatedSeedOptions): SimulatedSeed => {
  const { name, clock, trace, fates, functions, manifests, delivery, connections } = options
  const random = options.random.fork(`seed ${name}`)
  const cold = random.fork('cold starts')
  const coldMs = options.coldMs ?? (() => cold.between(50, 1_500))
  const uids = random.fork('uids')
  const server = createApiServer({
    clock,
    objects: [...definitions, ownNamespace, ...(options.objects ?? [])],
    newUid: uids.uuid,
  })
  const transportOf = options.transportOf ?? ((_: string, of: ApiServer) => of.transport)
  const kubernetes = createKubernetes({
    transport: server.controllerTransport,
    clock,
    random: random.fork('people'),
  })
  const controllers = openControllers({
    transport: options.controllerWay?.(server.controllerTransport) ?? server.controllerTransport,
    // A write of a function begins their work, which is not that of the function.
    changes: listener => server.store.subscribe((...change) => runningCode.exit(() => listener(...change))),
    clouds: options.clouds,
    clock,
    log: silent,
    machineScale: options.machineScale ?? 1,
    resourceScale: options.resourceScale ?? 1,
    ...(options.shoots && { shoots: options.shoots }),
  })

  if (options.backup) restoreServer(server, options.backup)

  const forgetClaims = options.invariants?.watch(name, server.store)
  const newProcess = (of: string): SimulatedProcess =>
    createProcess({ name: `${name}/${of}`, clock, fates, trace, observer: options.invariants?.observer })
  const startFunctions = (
    of: string,
    hosted: readonly SeedFunction[],
    isCompact: boolean,
  ): FunctionInstance => {
    const process = newProcess(of)
    return startInstance({
      process,
      functions: hosted,
      isCompact,
      concurrency: options.concurrency,
      transport: transportOf(process.name, server),
      connection: fn => connections[providerOf(fn)]?.(process),
      settings: options.functionSettings ?? {},
      random: random.fork(of),
      log: silent,
      ...(options.limits && { limits: options.limits }),
    })
  }
  const instances = createInstances({
    start: (service, number) => {
      const together = functionsAtPaths(manifests, service, functions)
      const alone = functions.filter(fn => fn.name === service)
      const isCompact = together.length > 0
      const hosted = isCompact ? together : alone
      return hosted.length === 0 ? undefined : startFunctions(`${service}-${number}`, hosted, isCompact)
    },
    clock,
    random: random.fork('instances'),
    most: options.instances ?? 2,
    coldMs,
    idleMs: options.idleMs ?? 60_000,
  })
  /** The relay between replicas is not simulated: a dead letter reaches the bridge that leads. */
  const answerOf: AnswerPost = async (url, message, gone) => {
    if (new URL(url).pathname !== undeliveredPath) return instances.answer(url, message, gone)
    const leader = slots.find(({ process, bridge }) => process.isAlive() && bridge.leading())
    if (leader === undefined) throw refusedConnection()
    const letter = readDeadLetter(message.headers)
    if (letter !== undefined) leader.bridge.lost(letter)
    return { status: letter === undefined ? 400 : 204, headers: {}, body: new Uint8Array() }
  }
  const broker = createBrokerCore({
    manifests,
    resolve: instances.resolve,
    resolveUri: async uri => uri,
    clock,
    log: silent,
    postWithin: timeoutMs => simulatedPost({ clock, timeoutMs, answer: answerOf }),
  })

  let programs: readonly FunctionInstance[] = []
  let programNumber = 0
  const startProgram = (hosted: readonly SeedFunction[], of: string): FunctionInstance => {
    const instance = startFunctions(`${of}-${++programNumber}`, hosted, true)
    programs = [...programs, instance]
    void instance.process.ended.then(() => {
      programs = programs.filter(one => one !== instance)
    })
    return instance
  }
  const postFrom = (process: SimulatedProcess, timeoutMs: number) =>
    simulatedPost({
      clock: process.clock,
      timeoutMs,
      answer: (_, { headers, body }, gone) =>
        process.exchange(
          {
            way: 'events',
            isWrite: true,
            about: `event ${headers['ce-id'] ?? ''} ${headers['ce-type'] ?? ''}`,
          },
          {
            signal: gone,
            act: async () => {
              const event = readMessage({
                headers,
                body: typeof body === 'string' ? Buffer.from(body) : body,
              })
              const result = await broker.take(event, 'trellis', 'default', gone)
              return { status: ingressStatus[result], headers: {}, body: new Uint8Array() }
            },
            refuse: status => ({ status, headers: {}, body: new Uint8Array() }),
            broken: brokenConnection,
          },
        ),
    })
  const hostedPrograms = delivery === 'seed process' ? runnerFlags(functions).programs : ''
  let bridgeNumber = 0
  const startBridge = (replica: number): BridgeSlot => {
    const process = newProcess(`bridge-${replica}-${++bridgeNumber}`)
    return startBridgeSlot({
      process,
      transport: transportOf(process.name, server),
      seed: name,
      served: servedTypes(manifests),
      declaredHealth: ownHealthOf(functions),
      delivery:
        delivery === 'seed process'
          ? {
              kind: 'seed process',
              programs: hostedPrograms,
              starter: owner =>
                simulatedStarter({
                  clock,
                  owner,
                  coldMs,
                  start: program =>
                    startProgram(
                      functions.filter(fn => program.functions.some(one => one.name === fn.name)),
                      program.name,
                    ),
                }),
            }
          : { kind: 'broker', post: postFrom },
      leaseTimes: options.leaseTimes ?? defaultLeaseTimes,
      elapsed: clock.now,
      random: random.fork(process.name),
      log: silent,
    })
  }
  const slots = Array.from({ length: options.bridges ?? 2 }, (_, replica) => startBridge(replica))

  return {
    name,
    server,
    kubernetes,
    broker,
    machines: controllers.machines,
    resources: controllers.resources,
    bridges: () => slots,
    instances: () => [...instances.running(), ...programs],
    restart: replica => {
      if (!slots[replica]?.process.isAlive()) slots[replica] = startBridge(replica)
    },
    restoreEtcd: (backup, restoreOptions) => {
      server.restore(backup, restoreOptions)
      forgetClaims?.()
      controllers.machines.restart()
      controllers.resources.restart()
    },
    close: async () => {
      for (const { process } of slots) process.kill()
      for (const { process } of [...instances.running(), ...programs]) process.kill()
      await controllers.close()
      server.close()
      await broker.close()
    },
  }
}
