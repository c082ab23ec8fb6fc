import { UsageError } from '../sandbox/terminal/exit-code.ts'
import { systemClock } from '../shared/clock/clock.ts'
import {
  type ClusterAccess,
  createKubernetes,
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
  readonly kubernetes: Kubernetes
  readonly transport: Transport
  readonly server: string
  readonly close: () => void
}

/** Opens connections to the cluster of a kubeconfig. Sends nothing yet. */
export const openCluster = async (options: ClusterOptions): Promise<OpenCluster> => {
  const access = await accessOf(options)
  const { send, close } = httpTransport({ access })
  return {
    kubernetes: createKubernetes({ transport: send, clock: systemClock }),
    transport: send,
    server: access.server,
    close,
  }
}
