import { randomUUID } from 'node:crypto'
import type { Clock } from '../../shared/clock/clock.ts'
import type { KubernetesObject, Transport } from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { deletionProtection } from './admission/deletion-protection.ts'
import { extensionValidation } from './admission/extension-validation.ts'
import { namespaceLifecycle } from './admission/namespace-lifecycle.ts'
import type { ResolveWebhook } from './admission/webhooks/call-webhook.ts'
import { type AskedReview, createWebhookAdmission } from './admission/webhooks/webhook-admission.ts'
import type { Controller } from './controllers/controller.ts'
import { definitionController } from './controllers/definition-controller.ts'
import { garbageCollector } from './controllers/garbage-collector.ts'
import { namespaceController } from './controllers/namespace-controller.ts'
import { createFaults, type Faults } from './faults.ts'
import { type HttpListener, type ListenOptions, listen } from './http-listener.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { kubeconfigFor } from './kubeconfig.ts'
import { type ApiView, type ApiViewOptions, createApiView, type ViewReader } from './past/api-view.ts'
import type { LineQueue } from './read/line-queue.ts'
import type { ApiContext } from './requests/api-context.ts'
import { ApiError, statusOf } from './requests/api-error.ts'
import {
  type ApiRequest,
  type ApiResponse,
  asYaml,
  Disconnect,
  jsonResponse,
} from './requests/api-request.ts'
import { handleNonResource } from './requests/non-resource.ts'
import { nothingServed } from './requests/nothing-served.ts'
import { createRequestLog, type RequestLog } from './requests/request-log.ts'
import { createResourceHandler, type ResourceHandler } from './requests/resource-handler.ts'
import { parseResourcePath } from './requests/resource-path.ts'
import { builtInTypes } from './resources/built-in-types.ts'
import { createRegistry } from './resources/registry.ts'
import { resourceName } from './resources/resource-definition.ts'
import { createCelRuleChecker } from './schema/cel-rule-checker.ts'
import { createStore, type EtcdBackup, type Store, type StoreEvent } from './store/store.ts'
import { verbOf } from './verbs/verb-of.ts'
import { createObject, newSuffix } from './write/create-object.ts'

/** Initial objects and behaviour of an API server. */
export interface ApiServerOptions {
  /** Used for ages, timestamps, bookmarks and timeouts of watches. */
  readonly clock: Clock
  /** Initial objects, CustomResourceDefinitions first. */
  readonly objects?: readonly KubernetesObject[]
  /** If true, protected objects need a confirmation before deletion, as in a seed. Default: true. */
  readonly deletionProtection?: boolean
  /** Number of events per resource that watches can resume from. Default: 1,000. */
  readonly eventWindow?: number
  /** Returns the uid of the next created object. Default: random. */
  readonly newUid?: () => string
  /** Resolves webhook hosts. Webhooks on this machine are always reachable; by default no others are. */
  readonly resolveWebhook?: ResolveWebhook
  /** Called for each review of a webhook. Must not throw. */
  readonly onReview?: (review: AskedReview) => void
}

/** A running API server in memory. */
export interface ApiServer {
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Requests without a socket, for `createKubernetes`. */
  readonly transport: Transport
  /** For the sandbox's own controllers. Their requests are not logged, so the log shows only those of functions. */
  readonly controllerTransport: Transport
  /** Serves HTTP on 127.0.0.1. */
  listen(options?: ListenOptions): Promise<HttpListener>
  /** Returns the text of a kubeconfig for this server. */
  kubeconfig(url: string): string
  /** The stored objects, for tests that bypass the API. */
  readonly store: Store
  readonly requests: RequestLog
  readonly faults: Faults
  /** Ends all watches, cleanly or by breaking their connections. */
  dropWatches(how?: 'close' | 'disconnect'): void
  /** Creates a client's way to the server that can show the past: a replica that lags, lost or late events. */
  view(options?: ApiViewOptions): ApiView
  /** Returns a snapshot of all objects. */
  backUp(): EtcdBackup
  /**
   * Returns all objects to the backup, with their uids, versions and status, and ends all watches and pasts. Later
   * objects are gone. Versions continue after the backup's, as after a plain `etcdutl snapshot restore`, so they are
   * used twice. Then a watch from a later version is silent until it is reached (kubernetes/kubernetes#107457).
   */
  restore(backup: EtcdBackup, options?: RestoreOptions): void
  /** Discards all events. Watches and continued lists from earlier versions get 410. */
  compact(): void
  /** Ends watches and all activity. Close listeners separately. */
  close(): void
}

export interface RestoreOptions {
  /**
   * Versions continue after the backup's plus this number, and watches from earlier ones get 410, as with `etcdutl
   * snapshot restore --bump-revision N --mark-compacted`. Default: 0.
   */
  readonly bumpRevision?: number
}

const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/**
 * Creates an API server that behaves like kube-apiserver towards Trellis and kubectl.
 *
 * @example
 * const apiServer = createApiServer({ clock, objects: allCrds() })
 * const { url, close } = await apiServer.listen()
 * console.log(apiServer.kubeconfig(url))
 * await close()
 */
export const createApiServer = (options: ApiServerOptions): ApiServer => {
  const { clock } = options
  const store = createStore({ eventWindow: options.eventWindow ?? 1_000 })
  const context: ApiContext = {
    clock,
    store,
    registry: createRegistry(builtInTypes),
    rules: createCelRuleChecker(),
    admission: [
      namespaceLifecycle(store),
      extensionValidation,
      ...(options.deletionProtection === false ? [] : [deletionProtection]),
    ],
    newUid: options.newUid ?? randomUUID,
    newSuffix,
  }
  const requests = createRequestLog()
  const faults = createFaults(clock)
  const watches = new Map<LineQueue, string>()

  const endWatches = (resource: string): void => {
    for (const [watch, name] of [...watches]) if (name === resource) watch.close()
  }
  const controllers: readonly Controller[] = [
    definitionController(context, endWatches),
    garbageCollector(context),
    namespaceController(context),
  ]
  const pending: { readonly resource: string; readonly event: StoreEvent }[] = []
  store.subscribe((resource, event) => pending.push({ resource, event }))

  /** Runs the controllers on all writes so far, including their own. */
  const runControllers = (): void => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      for (const controller of controllers) controller(next.resource, next.event)
    }
  }

  const track = (resource: string, watch: LineQueue) => {
    watches.set(watch, resource)
    return () => watches.delete(watch)
  }
  const underWebhooks = createWebhookAdmission({
    context,
    clock,
    resolve: options.resolveWebhook ?? (() => undefined),
    onReview: options.onReview ?? (() => {}),
  })

  /** Handles a request of a view: a read with the view's context, and a write in the present. */
  const viewHandler =
    (within: ApiContext, reader: ViewReader): ResourceHandler =>
    (request, target, served, query) => {
      const verb = verbOf(request.method, target, query, served.type.custom)
      const isRead = request.method === 'GET' && target.subresource === undefined
      const seen = isRead ? reader.contextFor(resourceName(served.type), verb, query) : within
      const trackBoth = (resource: string, watch: LineQueue) => {
        const ends = [track(resource, watch), reader.track(watch)]
        return () => {
          for (const end of ends) end()
        }
      }
      return createResourceHandler(seen, trackBoth)(request, target, served, query)
    }

  const route = (request: ApiRequest, within: ApiContext, reader?: ViewReader): ApiResponse => {
    const url = new URL(request.path, 'http://localhost')
    const target = parseResourcePath(url.pathname)
    const served = target && context.registry.find(target.group, target.version, target.plural)
    if (!target || !served) return handleNonResource(context, request, url) ?? nothingServed(context, target)
    const handle = reader ? viewHandler(within, reader) : createResourceHandler(within, track)
    const response = handle(request, target, served, url.searchParams)
    if (request.method !== 'GET') runControllers()
    return request.headers.accept?.startsWith('application/yaml') ? asYaml(response) : response
  }

  const logged = (request: ApiRequest, response: ApiResponse): ApiResponse => {
    const url = new URL(request.path, 'http://localhost')
    const target = parseResourcePath(url.pathname)
    const type = target && context.registry.find(target.group, target.version, target.plural)?.type
    requests.record({
      at: clock.now(),
      method: request.method,
      path: request.path,
      verb: target ? verbOf(request.method, target, url.searchParams, type?.custom === true) : 'other',
      resource: target && resourceName(target),
      subresource: target?.subresource,
      status: response.status,
    })
    return response
  }

  const answer = async (request: ApiRequest, reader?: ViewReader): Promise<ApiResponse> => {
    try {
      return await faults.around(request, () =>
        request.method === 'GET'
          ? route(request, context, reader)
          : underWebhooks(within => route(request, within), errorResponse),
      )
    } catch (error) {
      if (error instanceof Disconnect) throw error
      return errorResponse(error)
    }
  }
  const handle = async (request: ApiRequest, reader?: ViewReader): Promise<ApiResponse> =>
    logged(request, await answer(request, reader))

  const install = (object: KubernetesObject): void => {
    const [group = '', version = ''] = object.apiVersion.includes('/')
      ? object.apiVersion.split('/')
      : ['', object.apiVersion]
    const type = context.registry.all().find(one => one.group === group && one.kind === object.kind)
    const served = type && context.registry.find(group, version, type.plural)
    if (!served) throw new TypeError(`cannot install ${object.kind} ${object.metadata.name}: unknown kind`)
    const write = { dryRun: false, fieldValidation: 'Ignore', fieldManager: 'sandbox', warnings: [] } as const
    createObject(context, served, object.metadata.namespace, object, { ...write, warnings: [] })
    runControllers()
  }
  for (const name of firstNamespaces) install({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const object of options.objects ?? []) install(object)

  const dropWatches = (how: 'close' | 'disconnect' = 'close'): void => {
    for (const watch of [...watches.keys()]) {
      if (how === 'close') watch.close()
      else watch.fail(new Disconnect('the watch was dropped'))
    }
  }

  const views = new Set<ApiView>()
  const view: ApiServer['view'] = viewOptions => {
    const connect = (reader: ViewReader) => inProcessTransport(request => handle(request, reader), faults)
    const made = createApiView({ context, connect }, viewOptions)
    views.add(made)
    return made
  }
  const releaseViews = (): void => {
    for (const one of views) one.release()
  }

  return {
    handle,
    transport: inProcessTransport(handle, faults),
    controllerTransport: inProcessTransport(answer, faults),
    listen: listenOptions => listen(handle, faults, listenOptions),
    kubeconfig: kubeconfigFor,
    store,
    requests,
    faults,
    dropWatches,
    view,
    backUp: store.backUp,
    restore: (backup, { bumpRevision = 0 } = {}) => {
      dropWatches('disconnect')
      releaseViews()
      store.restore(backup, backup.version + bumpRevision)
      runControllers()
    },
    compact: () => {
      for (const name of store.resources()) store.collection(name).compact()
    },
    close: () => {
      faults.thaw()
      dropWatches()
      releaseViews()
    },
  }
}

const errorResponse = (error: unknown): ApiResponse => {
  if (error instanceof Disconnect) throw error
  const failure =
    error instanceof ApiError
      ? error.failure
      : { code: 500, reason: 'InternalError', message: `Internal error occurred: ${messageOf(error)}` }
  const seconds = failure.details?.retryAfterSeconds
  return jsonResponse(
    failure.code,
    statusOf(failure),
    seconds === undefined ? {} : { 'retry-after': String(seconds) },
  )
}
