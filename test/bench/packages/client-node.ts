import {
  AppsV1Api,
  type ConfigurationOptions,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  createConfiguration,
  type HttpLibrary,
  type KubeConfig,
  NetworkingV1Api,
  Observable,
  type ObservableMiddleware,
  PatchStrategy,
  RbacAuthorizationV1Api,
  ServerConfiguration,
} from '@kubernetes/client-node'
import {
  ConnectionError,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  type ListPage,
  type ObjectKey,
} from '../../../shared/kubernetes/kubernetes.ts'
import { clientNodeFailure } from './client-node-failure.ts'
import { clientNodeWatch } from './client-node-watch.ts'

export interface ClientNodeOptions {
  readonly config: KubeConfig
  /** Sends the requests, except those of watches. Default: client-node's, by undici. */
  readonly httpApi?: HttpLibrary
}

type Api = Readonly<Record<string, Call | undefined>>
type Call = (parameters: object, options?: ConfigurationOptions<ObservableMiddleware>) => Promise<unknown>

/** The typed clients of the resources that functions and the bridge use, and the names of their kinds there. */
const typedClients = [
  {
    api: CoreV1Api,
    groupVersion: '/v1',
    kinds: {
      configmaps: 'ConfigMap',
      namespaces: 'Namespace',
      nodes: 'Node',
      secrets: 'Secret',
      serviceaccounts: 'ServiceAccount',
      services: 'Service',
    },
  },
  { api: AppsV1Api, groupVersion: 'apps/v1', kinds: { deployments: 'Deployment' } },
  { api: CoordinationV1Api, groupVersion: 'coordination.k8s.io/v1', kinds: { leases: 'Lease' } },
  { api: NetworkingV1Api, groupVersion: 'networking.k8s.io/v1', kinds: { networkpolicies: 'NetworkPolicy' } },
  {
    api: RbacAuthorizationV1Api,
    groupVersion: 'rbac.authorization.k8s.io/v1',
    kinds: { roles: 'Role', rolebindings: 'RoleBinding' },
  },
] as const

/**
 * The Kubernetes port by `@kubernetes/client-node`: its typed clients, `CustomObjectsApi` for other resources, and its
 * `Watch`. It has no retries, timeouts or streamed lists, because the package has none.
 */
export const clientNode = ({ config, httpApi }: ClientNodeOptions): Kubernetes => {
  const server = config.getCurrentCluster()?.server ?? ''
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(server, {}),
    authMethods: { default: config },
    ...(httpApi && { httpApi }),
  })
  const custom = new CustomObjectsApi(configuration) as unknown as Api
  const typed = new Map<string, { readonly api: Api; readonly kind: string }>(
    typedClients.flatMap(({ api: Client, groupVersion, kinds }) => {
      const api = new Client(configuration) as unknown as Api
      return Object.entries(kinds).map(
        ([plural, kind]) => [`${groupVersion}/${plural}`, { api, kind }] as const,
      )
    }),
  )

  /** Calls the method of a resource, such as `patchNamespacedSecret`. */
  const call = async (
    resource: GroupVersionResource,
    { verb, of = {}, tail = '', contentType, signal, ...parameters }: Request,
  ): Promise<unknown> => {
    signal?.throwIfAborted()
    const { group, version, plural } = resource
    const client = typed.get(`${group}/${version}/${plural}`)
    const scope = of.namespace === undefined ? '' : 'Namespaced'
    const [api, name] =
      client === undefined
        ? [custom, `${verb === 'read' ? 'get' : verb}${scope || 'Cluster'}CustomObject${tail}`]
        : [
            client.api,
            `${verb}${scope}${client.kind}${isAll(resource, verb, of) ? 'ForAllNamespaces' : tail}`,
          ]
    const method = api[name]
    if (method === undefined) throw new TypeError(`client-node has no ${name}`)
    const target = client === undefined ? { group, version, plural } : {}
    try {
      return await method.call(api, { ...target, ...of, ...parameters }, optionsOf(contentType, signal))
    } catch (error) {
      throw clientNodeFailure(error, `${verb} ${plural}`, signal)
    }
  }
  const object = async (resource: GroupVersionResource, request: Request) =>
    (await call(resource, request)) as KubernetesObject

  return {
    get: (resource, key, options) =>
      object(resource, { verb: 'read', of: keyIn(key), ...options }).catch(isAbsent),

    list: async (
      resource,
      { namespace, limit, labelSelector, fieldSelector, resourceVersion, signal, ...more } = {},
    ) =>
      pageOf(
        (await call(resource, {
          verb: 'list',
          of: namespace === undefined ? {} : { namespace },
          limit,
          labelSelector,
          fieldSelector,
          resourceVersion,
          _continue: more.continue,
          signal,
        })) as List,
      ),

    watch: (resource, options = {}) => clientNodeWatch(config, resource, options),

    create: (resource, body, options) =>
      object(resource, { verb: 'create', of: scopeOf(body.metadata), body, ...options }),

    replace: (resource, body, { subresource, signal } = {}) =>
      object(resource, {
        verb: 'replace',
        of: keyIn(body.metadata),
        tail: tailOf(subresource),
        body,
        signal,
      }),

    patch: (resource, key, body, { subresource, signal } = {}) =>
      object(resource, {
        verb: 'patch',
        of: keyIn(key),
        tail: tailOf(subresource),
        contentType: PatchStrategy.MergePatch,
        body,
        signal,
      }),

    apply: (resource, body, { fieldManager, force = false, signal }) =>
      object(resource, {
        verb: 'patch',
        of: keyIn(body.metadata),
        contentType: PatchStrategy.ServerSideApply,
        fieldManager,
        force,
        body,
        signal,
      }),

    delete: async (resource, key, { uid, resourceVersion, signal } = {}) => {
      const body = { propagationPolicy: 'Background', preconditions: { uid, resourceVersion } }
      await call(resource, { verb: 'delete', of: keyIn(key), body, signal }).catch(isAbsent)
    },
  }
}

interface Request {
  readonly verb: 'read' | 'list' | 'create' | 'replace' | 'patch' | 'delete'
  readonly of?: Partial<ObjectKey>
  /** The end of the method's name. */
  readonly tail?: string
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  readonly [parameter: string]: unknown
}

interface List {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion?: string
    readonly _continue?: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly KubernetesObject[]
}

const isAll = (resource: GroupVersionResource, verb: string, of: Partial<ObjectKey>): boolean =>
  verb === 'list' && resource.namespaced && of.namespace === undefined

const scopeOf = ({ namespace }: { readonly namespace?: string | undefined }) =>
  namespace === undefined ? {} : { namespace }
const keyIn = ({ name, namespace }: ObjectKey) => ({ name, ...(namespace !== undefined && { namespace }) })
const tailOf = (subresource = '') => subresource.charAt(0).toUpperCase() + subresource.slice(1)

/** Models name the field `_continue`. Items of built-in resources have no kind. */
const pageOf = ({ apiVersion, kind, metadata, items }: List): ListPage => {
  const token = metadata._continue ?? metadata.continue
  return {
    items: items.map(item => ({ ...item, apiVersion, kind: kind.replace(/List$/, '') })),
    resourceVersion: metadata.resourceVersion ?? '',
    ...(token && { continue: token }),
    ...(metadata.remainingItemCount !== undefined && { remainingItemCount: metadata.remainingItemCount }),
  }
}

const isAbsent = (error: unknown): undefined => {
  if (error instanceof ConnectionError) throw error
  if (Reflect.get(Object(error), 'reason') !== 'NotFound') throw error
}

/** The package takes the content type and the signal of a request only by middleware. */
const optionsOf = (
  contentType: string | undefined,
  signal: AbortSignal | undefined,
): ConfigurationOptions<ObservableMiddleware> => ({
  middleware: [
    {
      pre: request => {
        if (contentType !== undefined) request.setHeaderParam('Content-Type', contentType)
        if (signal !== undefined) request.setSignal(signal)
        return new Observable(Promise.resolve(request))
      },
      post: response => new Observable(Promise.resolve(response)),
    },
  ],
})
