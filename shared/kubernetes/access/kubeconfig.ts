import type { Agent, RequestOptions } from 'node:https'
import type { Clock } from '../../clock/clock.ts'
import { cacheCredentials } from './cache-credentials.ts'
import type { ClusterAccess, Credentials } from './cluster-access.ts'
import { inClusterAccess } from './in-cluster.ts'
import { readPlainKubeconfig } from './plain-kubeconfig.ts'

export interface KubeconfigOptions {
  /** A kubeconfig file; absent: `KUBECONFIG` or `~/.kube/config`, as kubectl finds them. */
  readonly file?: string
  /** Default: the file's current context. */
  readonly context?: string
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Where client-node looks for an API server when it has found no kubeconfig. Whatever listens there is none: more often
 * it is the process itself, whose probes are on that port.
 */
const foundNothing = 'http://localhost:8080'

/**
 * Access by a kubeconfig: client certificates, tokens and token files read here; exec plugins, OIDC, proxies and files
 * that are not named by client-node. Rejects when there is no such file or context, and when no file is named and none
 * is found.
 */
export const kubeconfigAccess = async ({
  file,
  context,
  clock,
}: KubeconfigOptions): Promise<ClusterAccess> => {
  const plain = file === undefined ? undefined : await readPlainKubeconfig(file, context)
  if (plain) return { server: plain.server, credentials: cacheCredentials(clock, plain.credentials) }
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
  const config = new KubeConfig()
  if (file === undefined) config.loadFromDefault()
  else config.loadFromFile(file)
  if (file === undefined && config.getCurrentCluster()?.server === foundNothing) {
    throw new Error('no kubeconfig is named, and neither KUBECONFIG nor ~/.kube/config is there')
  }
  if (context !== undefined) config.setCurrentContext(context)
  // client-node refuses http:// unless certificates go unchecked; without TLS there are none to check.
  config.clusters = config.clusters.map(entry =>
    entry.server.startsWith('http:') ? { ...entry, skipTLSVerify: true } : entry,
  )
  const cluster = config.getCurrentCluster()
  if (!cluster) {
    throw new Error(
      `reading the kubeconfig ${file ?? ''}: no cluster for context ${config.getCurrentContext()}`,
    )
  }
  return {
    server: cluster.server,
    credentials: cacheCredentials(clock, async () => {
      const options: RequestOptions = {}
      await config.applyToHTTPSOptions(options)
      return credentialsOf(options, cluster.proxyUrl !== undefined)
    }),
  }
}

export interface ClusterAccessOptions extends KubeconfigOptions {
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`, as every pod has them. */
  readonly inCluster?: { readonly host: string; readonly port: string }
}

/** A kubeconfig when a file is named, else the pod's service account, else what kubectl would use. */
export const clusterAccess = async (options: ClusterAccessOptions): Promise<ClusterAccess> =>
  options.file === undefined && options.inCluster
    ? inClusterAccess({ ...options.inCluster, clock: options.clock })
    : kubeconfigAccess(options)

const pem = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value)

/** What client-node puts into the options of a `node:https` request, as credentials. */
const credentialsOf = (options: RequestOptions, throughProxy: boolean): Credentials => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(options.headers ?? {}))
    headers[name.toLowerCase()] = String(value)
  if (options.auth) headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`
  const ca = pem(options.ca)
  const cert = pem(options.cert)
  const key = pem(options.key)
  return {
    headers,
    tls: {
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      ...(options.servername && { servername: options.servername }),
      ...(options.rejectUnauthorized === undefined ? {} : { rejectUnauthorized: options.rejectUnauthorized }),
    },
    ...(throughProxy && options.agent ? { agent: options.agent as Agent } : {}),
  }
}
