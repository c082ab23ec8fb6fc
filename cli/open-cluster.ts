import { UsageError } from '../sandbox/terminal/exit-code.ts'
import { systemClock } from '../shared/clock/clock.ts'
import {
  type ClusterAccess,
  ConnectionError,
  createKubernetes,
  hasStatus,
  httpTransport,
  type Kubernetes,
  kubeconfigAccess,
  type Transport,
} from '../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../shared/text/message-of.ts'

export interface ClusterOptions {
  readonly kubeconfig?: string
  readonly context?: string
}

/** Returns the access of a kubeconfig. Throws a `UsageError` without the lines of the file, which hold credentials. */
export const accessOf = async ({ kubeconfig, context }: ClusterOptions): Promise<ClusterAccess> => {
  try {
    return await kubeconfigAccess({
      clock: systemClock,
      ...(kubeconfig !== undefined && { file: kubeconfig }),
      ...(context !== undefined && { context }),
    })
  } catch (error) {
    // The YAML parser quotes the lines around, which hold credentials; the first line has the position.
    const [why = ''] = messageOf(error).split('\n')
    const file = kubeconfig ?? process.env.KUBECONFIG
    const where = file === undefined || why.includes(file) ? '' : `${file}: `
    throw new UsageError(`cannot access a cluster: ${where}${why}. Check --kubeconfig and --context`)
  }
}

export interface OpenCluster {
  /** The name of the user in the kubeconfig. Undefined in a pod. */
  readonly user: string | undefined
  readonly kubernetes: Kubernetes
  readonly transport: Transport
}

/**
 * Does some work with connections to the cluster of a kubeconfig, and closes them. If the API server cannot be reached
 * or refuses the credentials, the error says why and what to do.
 */
export const withCluster = async <T>(
  options: ClusterOptions,
  work: (cluster: OpenCluster) => Promise<T>,
): Promise<T> => {
  const access = await accessOf(options)
  const { send: transport, close } = httpTransport({ access })
  try {
    const kubernetes = createKubernetes({ transport, clock: systemClock })
    return await work({ user: access.user, kubernetes, transport })
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    const isUnknownUser = hasStatus(error, 401)
    if (!(error instanceof ConnectionError || isTimeout || isUnknownUser)) throw error
    const { refusedText, UnreachableError, unreachableText } = await import('./doctor/reach-server.ts')
    throw new UnreachableError(
      isUnknownUser ? refusedText(access.server) : unreachableText(access.server, error, isTimeout),
    )
  } finally {
    close()
  }
}
