import type { Clock } from '../../clock/clock.ts'
import { namespaces } from '../../kubernetes/core-resources.ts'
import type { Kubernetes } from '../../kubernetes/kubernetes.ts'
import { alwaysLeading, type Leadership } from '../../leadership/leadership.ts'
import type { Log } from '../../log/log.ts'
import { createMetrics, serveProbes } from '../../runtime/runtime.ts'
import type { CreateKeyPair } from '../../secrets-manager/secrets-manager.ts'
import { messageOf } from '../../text/message-of.ts'
import type { WebhookDefinition } from '../admission/admission.ts'
import { componentsOf, serviceUrl } from '../admission/admission.ts'
import { componentCertificates } from './certificates/component-certificates.ts'
import { showCertificates } from './certificates/shown-certificates.ts'
import { cacheShoots } from './lookup/cache-shoots.ts'
import { createLookups, currentClusters, type ReachShoot, readsClusters } from './lookup/lookups.ts'
import { createAttempts } from './process/attempts.ts'
import { maintenanceMetrics } from './process/metrics.ts'
import type { WebhookSettings } from './process/settings.ts'
import { createClusterPaths } from './registration/cluster-paths.ts'
import { createRegistration } from './registration/create-registration.ts'
import { followPathKeys } from './registration/hand-over.ts'
import { answerRequests, createRouter } from './serve/answer-requests.ts'
import { serveWebhooks } from './serve/server.ts'

export interface StartOptions {
  /** The definitions that this process serves, at least one. */
  readonly definitions: readonly WebhookDefinition[]
  readonly settings: WebhookSettings & Readonly<Record<string, unknown>>
  /** The cluster of the process. */
  readonly kubernetes: Kubernetes
  /** The cluster whose API servers send reviews: the same, or the virtual garden. */
  readonly target: Kubernetes
  /** Access to metadata of the target. Without it, each review reads every object again. */
  readonly targetMetadata?: Pick<Kubernetes, 'list' | 'watch'>
  readonly openShoot: ReachShoot
  readonly clock: Clock
  readonly log: Log
  /** Default: there is only one replica. */
  readonly leadership?: Leadership
  readonly createKeyPair?: CreateKeyPair
  /** Aborts a start that still waits for the API server. */
  readonly signal?: AbortSignal
}

export interface RunningWebhooks {
  /** The port of reviews. */
  readonly port: number
  /** The port of `/metrics` and the probes. */
  readonly probePort: number
  /** Resolves once certificates and configurations are up to date, if this process leads. */
  readonly registered: Promise<void>
  /** Reports not ready, answers until there are no more requests, then closes everything. */
  readonly close: () => Promise<void>
}

/** The delay before the first retry, in milliseconds. Later delays grow. */
const retryMs = 2_000

/**
 * The time limit for the last sync of certificates and configurations after the last request, in milliseconds: an
 * unresponsive API server must not block a shutdown. The next process completes unfinished work.
 */
const lastSyncMs = 5_000

/**
 * Serves admission functions: first prepares the certificates, then starts the server, then writes the configurations
 * that make API servers call it. Waits while the API server is unavailable.
 */
export const startWebhooks = async (options: StartOptions): Promise<RunningWebhooks> => {
  const { definitions, settings, kubernetes, target, clock, log, leadership = alwaysLeading } = options
  const { namespace, url, syncMs } = settings
  const metrics = createMetrics({ processMetrics: true })
  const shownMetrics = maintenanceMetrics(metrics)
  const stop = new AbortController()
  let isReady = false

  const probes = await serveProbes({
    host: settings.address,
    port: settings.probePort,
    ready: () => isReady,
    metrics,
  })
  const certificatesOf = new Map(
    owners(definitions, url).map(component => [
      component,
      componentCertificates({
        kubernetes,
        clock,
        namespace,
        component,
        ...(url !== undefined && { host: new URL(url).hostname.replace(/^\[|\]$/g, '') }),
        ...(options.createKeyPair && { createKeyPair: options.createKeyPair }),
      }),
    ]),
  )
  const [firstCertificates] = certificatesOf.values()
  if (firstCertificates === undefined) throw new TypeError('there is no webhook to serve')
  const shown = showCertificates(
    [...certificatesOf].map(([component, certificates]) => ({ component, certificates })),
    log,
    shownMetrics.certificate,
  )
  const certificate = await untilItWorks(shown.open, options)
  const inShoots = componentsOf(definitions.filter(({ target }) => target === 'shoot'))
  const pathKeys = followPathKeys(kubernetes, namespace, inShoots)
  const times = { knownMs: settings.trustMs, overlapMs: settings.overlapMs }
  const clusterPaths = createClusterPaths({ definitions, kubernetes, target, namespace, times, clock })
  // The first sync repeats a failed request, so one component does not stop the others.
  await Promise.allSettled([
    ...inShoots.map(pathKeys.refresh),
    ...clusterPaths.components.map(clusterPaths.refresh),
  ])

  const shoots = cacheShoots(options.openShoot, clock)
  const clusters =
    options.targetMetadata !== undefined && readsClusters(definitions)
      ? currentClusters({ kubernetes: target, metadata: options.targetMetadata, clock, log })
      : undefined
  const server = await serveWebhooks({
    host: settings.address,
    port: settings.port,
    certificate,
    answer: answerRequests({
      route: createRouter(definitions, pathKeys.of, clusterPaths.accepts),
      openLookup: createLookups(clusters?.lookup ?? target, shoots.open),
      settings,
      metrics,
      log,
      clock,
    }),
    drain: { acceptMs: settings.drainAcceptMs, limitMs: settings.drainLimitMs },
    log,
    clock,
  }).catch(async (error: unknown) => {
    await probes.close()
    throw error
  })
  shown.showOn(server)
  isReady = true

  const registrations = componentsOf(definitions).map(component => ({
    component,
    register: createRegistration({
      component,
      definitions: definitions.filter(definition => definition.component === component),
      certificates: certificatesOf.get(component) ?? firstCertificates,
      paths: clusterPaths,
      kubernetes,
      target,
      namespace,
      ...(url !== undefined ? { url } : settings.serviceUrls && { url: serviceUrl(component, namespace) }),
      ...(settings.ownerNamespace !== undefined && { ownerNamespace: settings.ownerNamespace }),
      ownerUid: async () =>
        (await target.get(namespaces, { name: settings.ownerNamespace ?? namespace }))?.metadata.uid,
      times,
      clock,
      log,
    }),
  }))
  const registered = Promise.withResolvers<void>()
  const wake = { now: new AbortController() }
  const attempt = createAttempts(log, shownMetrics.failing)

  const sync = async (): Promise<boolean> => {
    let isDone = true
    if (leadership.leading()) {
      for (const { component, register } of registrations)
        isDone = (await attempt('registering webhooks', component, register)) && isDone
      if (isDone) registered.resolve()
    }
    // Every replica reads them, including the one that has just created them.
    for (const [what, { components, refresh }] of [
      ['reading the key of the shoots', pathKeys],
      ['reading the paths of the cluster', clusterPaths],
      ['reading the certificate', shown],
    ] as const)
      for (const component of components)
        isDone = (await attempt(what, component, () => refresh(component))) && isDone
    return isDone
  }

  const run = async (): Promise<void> => {
    let failures = 0
    while (!stop.signal.aborted) {
      failures = (await sync()) ? 0 : failures + 1
      const { signal } = wake.now
      await clock
        .sleep(
          failures === 0 ? syncMs : Math.min(syncMs, retryMs * 2 ** (failures - 1)),
          AbortSignal.any([signal, stop.signal]),
        )
        .catch(() => undefined)
      if (signal.aborted) wake.now = new AbortController()
    }
  }
  const running = Promise.all([
    leadership.run(stop.signal, () => wake.now.abort()),
    run(),
    clusters?.run(stop.signal),
  ])

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    const ended = new AbortController()
    isReady = false
    stop.abort(new Error('the process is shutting down'))
    await server.drain()
    await Promise.race([running, clock.sleep(lastSyncMs, ended.signal).catch(() => undefined)])
    ended.abort()
    shoots.close()
    await probes.close()
  }
  return {
    port: server.port,
    probePort: probes.port,
    registered: registered.promise,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/**
 * Returns the components that need a certificate. Behind Services, callers send the host name of a component. A process
 * with an address presents one certificate for all of them.
 */
const owners = (definitions: readonly WebhookDefinition[], url: string | undefined): readonly string[] =>
  componentsOf(definitions).slice(0, url === undefined ? undefined : 1)

const untilItWorks = async <T>(
  work: () => Promise<T>,
  { clock, log, signal }: Pick<StartOptions, 'clock' | 'log' | 'signal'>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      log[attempt === 1 ? 'warn' : 'debug']('no certificate yet', { error: messageOf(error) })
      await clock.sleep(retryMs, signal)
    }
  }
}
