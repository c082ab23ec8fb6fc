import type { Clock } from '../../clock/clock.ts'
import { cacheCredentials } from './cache-credentials.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { inClusterAccess } from './in-cluster.ts'

export interface KubeconfigOptions {
  /** A kubeconfig file; absent: `KUBECONFIG` or `~/.kube/config`, as kubectl finds them. */
  readonly file?: string
  /** Default: the file's current context. */
  readonly context?: string
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Access by a kubeconfig: certificates, tokens, passwords, exec plugins, OIDC and proxies, as client-node reads them.
 * Rejects when there is no such file or context, when no file is named and none is found, and when this is a bundle
 * without the file beside it that reads kubeconfigs.
 */
export const kubeconfigAccess = async ({
  file,
  context,
  clock,
}: KubeconfigOptions): Promise<ClusterAccess> => {
  // build/images/bundle puts what this imports into a file of its own.
  const { readKubeconfig } = await import('./read-kubeconfig.ts').catch(missingReader)
  const { server, credentials } = await readKubeconfig(file, context)
  return { server, credentials: cacheCredentials(clock, credentials) }
}

/** In a bundle the import is a require(), whose message names the file in its first line. */
const missingReader = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'MODULE_NOT_FOUND') throw error
  throw new Error(`what reads kubeconfigs is not beside this program: ${error.message.split('\n')[0]}`, {
    cause: error,
  })
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
