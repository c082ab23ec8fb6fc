import type { Clock } from '../../clock/clock.ts'
import { cacheCredentials } from './cache-credentials.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { inClusterAccess } from './in-cluster.ts'

export interface KubeconfigOptions {
  /** A kubeconfig file. Default: `KUBECONFIG` or `~/.kube/config`, as in kubectl. */
  readonly file?: string
  /** Default: the file's current context. */
  readonly context?: string
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Access with a kubeconfig: certificates, tokens, passwords, exec plugins, OIDC and proxies, as client-node reads them.
 * Rejects for a missing file or context, if no file is named or found, and in a bundle without the separate file that
 * reads kubeconfigs.
 */
export const kubeconfigAccess = async ({
  file,
  context,
  clock,
}: KubeconfigOptions): Promise<ClusterAccess> => {
  // build/images/bundle puts this import into a separate file.
  const { readKubeconfig } = await import('./read-kubeconfig.ts').catch(missingReader)
  const { server, credentials } = await readKubeconfig(file, context)
  return { server, credentials: cacheCredentials(clock, credentials) }
}

/** In a bundle the import is a require(). The first line of its error names the file. */
const missingReader = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'MODULE_NOT_FOUND') throw error
  throw new Error(
    `the reader of kubeconfigs is missing beside this program: ${error.message.split('\n')[0]}`,
    {
      cause: error,
    },
  )
}

export interface ClusterAccessOptions extends KubeconfigOptions {
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`, which every pod has. */
  readonly inCluster?: { readonly host: string; readonly port: string }
}

/** Uses the named kubeconfig, else the pod's service account, else kubectl's default. */
export const clusterAccess = async (options: ClusterAccessOptions): Promise<ClusterAccess> =>
  options.file === undefined && options.inCluster
    ? inClusterAccess({ ...options.inCluster, clock: options.clock })
    : kubeconfigAccess(options)
