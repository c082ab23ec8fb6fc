import type { Clock } from '../../shared/clock/clock.ts'
import type { ExtensionClass } from '../../shared/contract/constants.ts'
import { journalTap } from '../../shared/journal/serve/journal-tap.ts'
import { createListQueue, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { Leadership } from '../../shared/leadership/leadership.ts'
import type { Log } from '../../shared/log/log.ts'
import { createReportReceiver, createReportSenders } from '../../shared/reports/reports.ts'
import { hostPrograms, type ObserveRunner, type ProgramStarter } from '../../shared/runner/runner.ts'
import { createMetrics, reportPath, SettingsError, serveProbes } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { ServedTypes } from '../core/core.ts'
import { type Bridge, createBridge } from '../create-bridge.ts'
import type { BridgeObserver, ObserveBridge } from '../observers/bridge-event.ts'
import type { DeliveryPath } from '../observers/delivery-path.ts'
import { createHeartbeat } from '../observers/heartbeat/heartbeat.ts'
import { createKnativePath } from '../observers/knative-path/knative-path.ts'
import { logObserver } from '../observers/log/log-observer.ts'
import { createBridgeMetrics } from '../observers/metrics/metrics.ts'
import { createEventRecorder } from '../observers/notices/event-recorder.ts'
import { createOutages } from '../observers/outages/outages.ts'
import { createOutcomeMetrics } from '../observers/outcomes/outcome-metrics.ts'
import { sinkPath } from '../sink/sink-path.ts'
import { createRelay } from '../undelivered/relay.ts'
import { createUndelivered } from '../undelivered/undelivered-endpoint.ts'
import type { EventPath } from './event-path.ts'
import { typesOf } from './served-objects.ts'
import { type BridgeSettings, roundMsOf, selectionOf } from './settings.ts'

export interface RunningBridge {
  readonly bridge: Bridge
  /** The port of `/metrics` and the probes. */
  readonly port: number
  /** Returns the token with which a program that runs beside the bridge proves its reports. */
  readonly reportToken: (program: string) => string
  /** Returns true if a process of this program receives events. Absent without programs. */
  readonly isAwake?: (program: string) => boolean
  /**
   * Stops watching, lets events in flight finish for about a second, then closes all connections. Processes of programs
   * hand their steps back.
   */
  close(): Promise<void>
}

/** @throws SettingsError if the address is unavailable */
const serve = async (options: Parameters<typeof serveProbes>[0]) => {
  try {
    return await serveProbes(options)
  } catch (error) {
    const problem = messageOf(error)
    throw new SettingsError([`--port (TRELLIS_PORT, PORT) or --address (TRELLIS_ADDRESS): ${problem}`])
  }
}

/**
 * Runs the bridge of a process, with its sender, metrics and probes. Starts at once. Rejects with SettingsError if the
 * port is unavailable; waits for the API server and the sink if they are away.
 */
export const startBridge = async (options: {
  readonly settings: BridgeSettings
  /** With write access, it creates a Kubernetes Event for an unclaimed object. */
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list' | 'watch'> &
    Partial<Pick<Kubernetes, 'create' | 'patch'>>
  readonly clock: Clock
  readonly log: Log
  /** Default: there is only one replica. */
  readonly leadership?: Leadership
  /** The types of each kind that have a function, if known. */
  readonly served?: ServedTypes
  /** The classes of objects to watch if the settings list no functions. Default: shoot. */
  readonly classes?: readonly ExtensionClass[]
  readonly observe?: ObserveBridge
  /** The namespace of this process, if it is a pod of the cluster. */
  readonly namespace?: string | undefined
  /** How events reach functions. Default: Knative in the namespace of this process. */
  readonly deliveryPath?: DeliveryPath & BridgeObserver
  /** Starts the programs of the settings. Default: as processes of this machine. */
  readonly starter?: ProgramStarter
  readonly observeRunner?: ObserveRunner
}): Promise<RunningBridge> => {
  const { settings, kubernetes, clock, log } = options
  const selection = selectionOf(settings, options.classes)
  const metrics = createMetrics({ processMetrics: true })
  const bridgeMetrics = createBridgeMetrics(metrics, clock, {
    extensions: settings.extensions.map(({ name }) => name),
  })
  const outcomeMetrics = createOutcomeMetrics(metrics, clock)
  const journal = journalTap(clock, settings.journalBytes, settings.seed)
  const senders = createReportSenders({ kubernetes, namespace: options.namespace, clock })
  const reports = createReportReceiver({ metrics, clock, log, senders, steps: journal.steps })
  const undelivered = createUndelivered({
    ...{ metrics, clock, log },
    bridge: () => bridge,
    ...(settings.undeliveredTo !== undefined && {
      relay: createRelay({ url: settings.undeliveredTo, clock }),
    }),
  })
  const outages = createOutages(log, clock)
  const knativePath = (of: string, to: string) =>
    createKnativePath({
      kubernetes,
      clock,
      log,
      listQueue: createListQueue(clock),
      namespace: of,
      sink: to,
      selection,
      declaredHealth: settings.health,
    })
  const { programs, sink } = settings
  const reportTo = () => `http://127.0.0.1:${probes.port}${reportPath}`
  const path: EventPath =
    programs === undefined
      ? sinkPath({ settings: { ...settings, sink: sink ?? '' }, outages, clock })
      : hostPrograms({
          ...{ programs, metrics, clock, log, reportTo, reportToken: senders.tokenOf },
          folder: settings.programsFolder,
          idleMs: settings.programIdleMs,
          kubeconfig: settings.kubeconfig,
          starter: options.starter,
          observe: options.observeRunner,
        })
  const leading = (): boolean => bridge.leading()
  const { list, get, create, patch } = kubernetes
  const { namespace } = options
  const pathInCluster =
    sink === undefined || namespace === undefined ? undefined : knativePath(namespace, sink)
  const deliveryPath: (DeliveryPath & BridgeObserver) | undefined =
    options.deliveryPath ?? (programs === undefined ? pathInCluster : { brokenFor: path.brokenFor })
  const recorder =
    create &&
    patch &&
    createEventRecorder({ kubernetes: { get, create, patch }, clock, log, leading, deliveryPath })
  const heartbeat =
    create && patch
      ? createHeartbeat({
          kubernetes: { list, create, patch },
          clock,
          log,
          extensions: settings.extensions,
          leading,
          problemOf: ({ types }) => bridge.healthProblem(types),
          renewed: bridgeMetrics.renewed,
          expected: bridgeMetrics.heartbeatExpected,
        })
      : undefined
  const served = options.served ?? (programs && typesOf(programs))
  const bridge: Bridge = createBridge({
    kubernetes,
    send: journal.noted(path.send),
    clock,
    log,
    selection,
    source: `/seeds/${settings.seed}`,
    initialPerSecond: settings.initialPerSecond,
    unclaimedMs: settings.unclaimedMs,
    roundMs: roundMsOf(settings),
    declaredHealth: settings.health,
    deliveryPath,
    ...(served === undefined ? {} : { served }),
    ...(options.leadership === undefined ? {} : { leadership: options.leadership }),
    observers: [
      bridgeMetrics,
      outcomeMetrics,
      logObserver(log, settings.logLevel === 'debug'),
      outages,
      ...(recorder === undefined ? [] : [recorder]),
      ...(heartbeat === undefined ? [] : [heartbeat]),
      ...(deliveryPath === undefined ? [] : [deliveryPath]),
      ...(options.observe === undefined ? [] : [{ event: options.observe }]),
    ],
  })
  const isPathReady = createReadiness(log, () => deliveryPath?.brokenForObjects?.() ?? path.brokenFor())
  const probes = await serve({
    host: settings.address,
    port: settings.port,
    // Unready shows at the Deployment; there is no traffic to the bridge that could be sent elsewhere.
    ready: () => bridge.ready() && !outages.isSinkBlocked() && isPathReady(),
    alive: () => {
      const stuck = bridge.stuck()
      if (stuck.length > 0) log.error('loop of the bridge is stuck', { stuck })
      return stuck.length === 0
    },
    metrics: {
      ...metrics,
      render: () => {
        bridgeMetrics.collect(bridge, outages.sinkTroubles())
        path.collect()
        outcomeMetrics.collect(bridge.counts().keys(), bridge.requests())
        return reports.renderAfter(metrics)
      },
    },
    others: (request, response) =>
      reports.answer(request, response) ||
      undelivered.answer(request, response) ||
      journal.answer(request, response),
  })
  path.open?.()
  const stop = new AbortController()
  const running = bridge.run(stop.signal)
  return {
    bridge,
    port: probes.port,
    reportToken: senders.tokenOf,
    ...(path.isAwake && { isAwake: path.isAwake }),
    close: async () => {
      stop.abort(new Error('the bridge is shutting down'))
      await running
      // Processes of functions report their last metrics to this process.
      await path.close()
      recorder?.close()
      await probes.close()
    },
  }
}

/** Returns true if there is no problem. Logs each problem once: a kubelet shows only the status of the answer. */
const createReadiness = (log: Log, problem: () => string | undefined): (() => boolean) => {
  let known: string | undefined
  return () => {
    const why = problem()
    if (why !== known && why !== undefined) log.warn('not ready: events do not reach a function', { why })
    if (why === undefined && known !== undefined) log.info('ready again, events reach functions')
    known = why
    return why === undefined
  }
}
