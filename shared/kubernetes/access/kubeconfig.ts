import type { Clock } from '../../clock/clock.ts'
import { cacheCredentials } from './cache-credentials.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { inClusterAccess } from './in-cluster.ts'

export interface KubeconfigOptions {
  /** A kubeconfig file, or a list of files as in `KUBECONFIG=a:b`. Default: `KUBECONFIG` or `~/.kube/config`. */
  readonly file?: string
  /** Default: the file's current context. */
  readonly context?: string
  readonly clock: Pick<Clock, 'now' | 'after'>
}

/**
 * Access with a kubeconfig as in kubectl: certificates, tokens, passwords, exec plugins, OIDC and proxies. Rejects for
 * a missing file or context, if no file is named or found outside of a pod, and in a bundle without the separate file
 * that reads kubeconfigs.
 */
export const kubeconfigAccess = async ({
  file,
  context,
  clock,
}: KubeconfigOptions): Promise<ClusterAccess> => {
  // build/images/bundle puts this import into a separate file.
  const { readKubeconfig } = await import('./read-kubeconfig.ts').catch(missingReader)
  const found = await readKubeconfig(file, context, clock)
  if (found !== undefined) return { ...found, credentials: cacheCredentials(clock, found.credentials) }
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
  if (context === undefined && host && port) return inClusterAccess({ host, port, clock })
  throw new Error('found no kubeconfig: give one, set KUBECONFIG or create ~/.kube/config')
}

/** In a bundle the import is a require(). The first line of its error names the file. */
const missingReader = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'MODULE_NOT_FOUND') throw error
  throw new Error(
    `the reader of kubeconfigs is missing beside this program: ${error.message.split('\n')[0]}`,
    { cause: error },
  )
}

export interface ClusterAccessOptions extends KubeconfigOptions {
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`, which every pod has. */
  readonly inCluster?: { readonly host: string; readonly port: string }
}

/** Uses the named kubeconfig, else the pod's service account, else kubectl's default. */
export const clusterAccess = async (options: ClusterAccessOptions): Promise<ClusterAccess> =>
  !options.file && options.inCluster
    ? inClusterAccess({ ...options.inCluster, clock: options.clock })
    : kubeconfigAccess(options)
